/*
 * Number of processors that this process may use.
 *
 * Linux limits a process by an affinity mask (taskset, cpusets) and by a CPU quota per period of
 * its control group (containers): cpu.max of version 2, "QUOTA PERIOD" or "max PERIOD";
 * cpu.cfs_quota_us (-1: none) and cpu.cfs_period_us of version 1. The limits of all parent groups
 * apply, too. Inside a container the folder of the group is often the mount itself, so missing
 * files are skipped. WebAssembly has one thread and no files.
 */
#include "sweep/processors.h"

#include "scenario/system.h"

#ifdef __wasm__
size_t bri_processors_count(void)
{
    return bri_system_count_processors();
}
#else

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 4096 }; // maximum length of a path or line

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

// --- quota ----------------------------------------------------------------------------------------

static size_t processors_of(double quota, double period)
{
    return quota > 0.0 && period > 0.0 ? (size_t)ceil(fmin(quota / period, 1e6)) : SIZE_MAX;
}

// Numbers of a file, at most `count`; 0 if there is no file.
static int read_numbers(const char* folder, const char* name, double* numbers, int count)
{
    char path[LONGEST + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "r");
    int read = 0;
    // a number out of range is infinite, which processors_of() takes as no limit
    // NOLINTNEXTLINE(cert-err34-c)
    while (file && read < count && fscanf(file, "%lf", &numbers[read]) == 1) {
        read++;
    }
    if (file) {
        fclose(file);
    }
    return read;
}

static size_t quota_of_folder(const char* folder)
{
    double both[2], quota, period;
    size_t smallest = SIZE_MAX;
    if (read_numbers(folder, "cpu.max", both, 2) == 2) { // "max" is not a number
        smallest = processors_of(both[0], both[1]);
    }
    if (read_numbers(folder, "cpu.cfs_quota_us", &quota, 1) == 1 &&
        read_numbers(folder, "cpu.cfs_period_us", &period, 1) == 1) {
        smallest = min_of(smallest, processors_of(quota, period));
    }
    return smallest;
}

// The smallest quota of a group and of all its parents, up to the mount.
static size_t quota_of_group(const char* root, const char* mount, const char* group)
{
    char path[LONGEST];
    const int start = snprintf(path, sizeof path, "%s/sys/fs/cgroup%s", root, mount);
    const int length = start + snprintf(path + start, sizeof path - (size_t)start, "%s", group);
    if (length >= (int)sizeof path) {
        return SIZE_MAX;
    }
    size_t smallest = quota_of_folder(path);
    for (int end = length - 1; end >= start; end--) {
        if (path[end] == '/') {
            path[end] = '\0';
            smallest = min_of(smallest, quota_of_folder(path));
        }
    }
    return smallest;
}

// Does a list "cpu,cpuacct" have the name?
static int has_name(const char* list, const char* name)
{
    const size_t length = strlen(name);
    for (const char* at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return 1;
        }
    }
    return 0;
}

// A line of /proc/self/cgroup, "4:cpu,cpuacct:/a/b" or, of version 2, "0::/a/b".
static size_t quota_of_line(const char* root, char* line)
{
    line[strcspn(line, "\n")] = '\0';
    char* list = strchr(line, ':');
    char* group = list ? strchr(list + 1, ':') : NULL;
    if (!group) {
        return SIZE_MAX;
    }
    *group++ = '\0';
    list++;
    if (*list == '\0') {
        return min_of(quota_of_group(root, "", group), quota_of_group(root, "/unified", group));
    }
    return has_name(list, "cpu") ? quota_of_group(root, "/cpu", group) : SIZE_MAX;
}

size_t bri_processors_of_quota(const char* root)
{
    char line[LONGEST];
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE* file = fopen(line, "r");
    size_t smallest = SIZE_MAX;
    while (file && fgets(line, sizeof line, file)) {
        smallest = min_of(smallest, quota_of_line(root, line));
    }
    if (file) {
        fclose(file);
    }
    return smallest;
}

// --- all limits -------------------------------------------------------------------------------------

size_t bri_processors_count(void)
{
    return min_of(bri_system_count_processors(), bri_processors_of_quota(""));
}

#endif
