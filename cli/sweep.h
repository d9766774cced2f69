/*
 * bristle sweep, whoever computes: threads of this process, or those of many (bristle-mpi).
 */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "bristle/sweep.h"

// Who computes.
typedef struct sweep_crew {
    int is_leader; // hands cases out, writes results, speaks; others only compute
    // Run the cases that `def` hands out, as br_sweep_run() does; of who does not lead, those that the leader sends.
    br_status (*run)(const br_sweep* sweep, const br_sweep_run_def* def, br_reason* why);
    size_t default_threads; // of each process; 0: one for each processor
} sweep_crew;

extern const char sweep_help[];

// The command; argv[0] is its name.
int sweep_command(int argc, char** argv, const sweep_crew* crew);

#endif
