/*
 * How many processors this process may use.
 */
#ifndef BRISTLE_SWEEP_PROCESSORS_H
#define BRISTLE_SWEEP_PROCESSORS_H

#include <stddef.h>

// The minimum of the processors online, those of the affinity mask, and the CPU quota; at least 1.
size_t bri_processors_count(void);

// The CPU quota of the control group and of its parents, in processors, rounded up; SIZE_MAX: no
// quota. `root` is put before "/proc/self/cgroup" and "/sys/fs/cgroup"; "" for those of the system.
size_t bri_processors_of_quota(const char* root);

#endif
