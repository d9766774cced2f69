/*
 * A progress bar on stderr for long work, where stderr is a terminal.
 */
#ifndef PARTS_PROGRESS_H
#define PARTS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct progress {
    bool on;      // may it show at all
    bool visible; // does it show
    double start; // [s]
    double last;  // when it was drawn last [s]
} progress;

// Seconds of a clock that never jumps.
double progress_clock(void);

progress progress_begin(bool quiet);

// `fraction` of the work is done. Cheap: call it as often as you like.
void progress_show(progress* bar, double fraction);

// The same in words for work in many pieces: `done` of `all` so far, `before` of them earlier than progress_begin().
void progress_count(progress* bar, size_t done, size_t all, size_t before, size_t failed);

// Take the bar away.
void progress_end(progress* bar);

#endif
