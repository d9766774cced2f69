/*
 * A progress bar on stderr for long work, where stderr is a terminal.
 */
#include "progress.h"

#include <stdio.h>

#include "system.h"

static const double LONG_WORK = 2;     // the bar is shown for longer work [s]
static const double FIRST_GUESS = 0.5; // when the time left is first estimated [s]
static const double REDRAW = 0.1;      // [s]

enum { WIDTH = 40 };

double progress_clock(void)
{
    return system_clock();
}

progress progress_start(bool quiet)
{
    const double now = progress_clock();
    progress bar = {!quiet && system_is_terminal(stderr), false, now, now};
    return bar;
}

// "42 s", "5 min", "2.3 h"
static void describe(double seconds, char text[16])
{
    static const double MINUTE = 60, HOUR = 3600;
    if (seconds < 2 * MINUTE) {
        snprintf(text, 16, "%.0f s", seconds);
    } else if (seconds < 2 * HOUR) {
        snprintf(text, 16, "%.0f min", seconds / MINUTE);
    } else {
        snprintf(text, 16, "%.3g h", seconds / HOUR);
    }
}

static void draw(double fraction, double left)
{
    char time_left[16];
    describe(left, time_left);
    const int filled = (int)(fraction * WIDTH);
    fprintf(stderr, "\r[%.*s%*s] %3.0f %%, %s left \033[K", filled,
            "########################################", WIDTH - filled, "", 100 * fraction,
            time_left);
}

void progress_show(progress* bar, double fraction)
{
    if (!bar->on || fraction <= 0 || fraction > 1) {
        return;
    }
    const double now = progress_clock(), spent = now - bar->start;
    const double left = spent * (1 - fraction) / fraction;
    bar->visible = bar->visible || (spent > FIRST_GUESS && spent + left > LONG_WORK);
    if (bar->visible && now - bar->last > REDRAW) {
        bar->last = now;
        draw(fraction, left);
    }
}

void progress_count(progress* bar, size_t done, size_t all, size_t before, size_t failed)
{
    const double now = progress_clock(), spent = now - bar->start;
    const double rate = (double)(done - before) / spent;
    if (!bar->on || !(rate > 0) || now - bar->last < REDRAW) {
        return;
    }
    const double left = (double)(all - done) / rate;
    bar->visible = bar->visible || (spent > FIRST_GUESS && spent + left > LONG_WORK);
    if (bar->visible) {
        char time_left[16];
        describe(left, time_left);
        bar->last = now;
        fprintf(stderr, "\r%zu of %zu cases, %.3g/s, %zu failed, %s left \033[K", done, all, rate,
                failed, time_left);
    }
}

void progress_end(progress* bar)
{
    if (bar->visible) {
        fputs("\r\033[K", stderr);
        bar->visible = false;
    }
}
