/*
 * bristle sweep in threads of this process, or, where mpirun has started several, as bristle-mpi.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "command.h"
#include "memory.h"
#include "message.h"
#include "program.h"
#include "sweep.h"

// Has a launcher of MPI started more than this process? What they tell: Open MPI, MPICH and Intel's.
static bool is_one_of_many(void)
{
    static const char* const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
    for (const char* const* name = names; *name; name++) {
        const char* size = getenv(*name);
        if (size && atoi(size) > 1) {
            return true;
        }
    }
    return false;
}

int sweep_main(int argc, char** argv)
{
    static const sweep_crew threads = {.is_leader = 1, .run = br_sweep_run};
    if (is_one_of_many()) {
        program_become("mpi", argv,
                       "this bristle was built without MPI: cmake -DBRISTLE_MPI=ON builds "
                       "bristle-mpi; or share the work by --shard K/N");
    }
    return sweep_command(argc, argv, &threads);
}
