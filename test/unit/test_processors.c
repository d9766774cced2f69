/* How many processors a sweep may use, by the rules of Linux. */
#define _GNU_SOURCE // sched_setaffinity()

#include "check.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bristle/sweep.h"
#include "sweep/processors.h"

// A file below a folder, with all folders on the path to it.
static void put_file(const char* root, const char* name, const char* content)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, name);
    for (char* at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

/* Oracle: the kernel's documentation of control groups, cgroup-v2 (cpu.max) and version 1 (cpu.cfs_quota_us). The least
   quota from the group upwards counts, rounded up. */
static void quotas_of_control_groups_count(void** state)
{
    (void)state;
    char root[] = "/tmp/bristle-quota-XXXXXX";
    assert_non_null(mkdtemp(root));
    assert_true(bri_processors_of_quota(root) == SIZE_MAX); // no control groups

    put_file(root, "/proc/self/cgroup", "0::/user/job\n");
    put_file(root, "/sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
    assert_true(bri_processors_of_quota(root) == SIZE_MAX);
    put_file(root, "/sys/fs/cgroup/user/cpu.max", "250000 100000\n");
    assert_int_equal(bri_processors_of_quota(root), 3);
    put_file(root, "/sys/fs/cgroup/user/job/cpu.max", "50000 100000\n");
    assert_int_equal(bri_processors_of_quota(root), 1);

    // inside of a container: the folder of the group is the mount
    put_file(root, "/proc/self/cgroup", "0::/elsewhere/container\n");
    put_file(root, "/sys/fs/cgroup/cpu.max", "400000 100000\n");
    assert_int_equal(bri_processors_of_quota(root), 4);

    // version 1 beside it
    put_file(root, "/proc/self/cgroup", "4:cpuset:/\n3:cpu,cpuacct:/a\n0::/\n");
    put_file(root, "/sys/fs/cgroup/cpu.max", "max 100000\n");
    put_file(root, "/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n");
    put_file(root, "/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
    assert_true(bri_processors_of_quota(root) == SIZE_MAX);
    put_file(root, "/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "120000\n");
    assert_int_equal(bri_processors_of_quota(root), 2);

    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

/* Oracle: the mask. A process that may use one processor gets one thread. */
static void the_affinity_mask_counts(void** state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_true(br_sweep_get_thread_count() >= 1);
    assert_true(br_sweep_get_thread_count() <= (size_t)CPU_COUNT(&before));
    int first = 0;
    while (!CPU_ISSET(first, &before)) {
        first++;
    }
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(br_sweep_get_thread_count(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotas_of_control_groups_count),
        cmocka_unit_test(the_affinity_mask_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
