/*
 * bristle sweep: runs in threads of this process; under mpirun it starts bristle-mpi instead.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "command.h"
#include "memory.h"
#include "message.h"
#include "program.h"
#include "sweep.h"

// Has mpirun started more than one process? Variables of Open MPI, and of MPICH and Intel MPI.
static bool runs_under_mpi(void)
{
    static const char* const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
    for (const char* const* name = names; *name; name++) {
        const char* size = getenv(*name);
        if (size && strtol(size, NULL, 10) > 1) {
            return true;
        }
    }
    return false;
}

int sweep_main(int argc, char** argv)
{
    static const sweep_crew threads = {.is_leader = 1, .run = br_sweep_run};
    if (runs_under_mpi()) {
        program_become("mpi", argv,
                       "this bristle was built without MPI: cmake -DBRISTLE_MPI=ON builds "
                       "bristle-mpi; or divide the work with --shard K/N");
    }
    return sweep_command(argc, argv, &threads);
}
