/*
 * A progress bar on stderr for long work, where stderr is a terminal.
 */
#ifndef PARTS_PROGRESS_H
#define PARTS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct progress {
    bool on;      // may be shown
    bool visible; // is shown
    double start; // [s]
    double last;  // when it was drawn last [s]
} progress;

// Seconds of a monotonic clock.
double progress_clock(void);

progress progress_start(bool quiet);

// `fraction` of the work is done. Cheap: may be called often.
void progress_show(progress* bar, double fraction);

// The same as text for many cases: `done` of `all`, `before` of them computed before progress_start().
void progress_count(progress* bar, size_t done, size_t all, size_t before, size_t failed);

// Erase the bar.
void progress_end(progress* bar);

#endif
