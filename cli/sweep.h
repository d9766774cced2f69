/*
 * bristle sweep, computed by threads of this process, or of many processes (bristle-mpi).
 */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "bristle/sweep.h"

// The processes and threads that compute.
typedef struct sweep_crew {
    int is_leader; // assigns cases, writes results, prints; other processes only compute
    // Run the cases that `def` returns, as br_sweep_run() does; on other processes, the cases that the leader sends.
    br_status (*run)(const br_sweep* sweep, const br_sweep_run_def* def, br_reason* why);
    size_t default_threads; // of each process; 0: one for each processor
} sweep_crew;

extern const char sweep_help[];

// The command; argv[0] is its name.
int sweep_command(int argc, char** argv, const sweep_crew* crew);

#endif
