/*
 * Run gnuplot as a child process: script in, picture out.
 */
#ifndef PICTURES_GNUPLOT_H
#define PICTURES_GNUPLOT_H

#include <stdio.h>

#include "output.h"

typedef struct gnuplot {
    FILE* script;   // write the script here
    FILE* messages; // gnuplot's stderr
} gnuplot;

// Start a script.
gnuplot gnuplot_open(void);

// The script is complete: run gnuplot and write the picture to `to`, which the caller commits. The command ends
// if gnuplot is missing, fails or takes longer than 300 s (or BRISTLE_GNUPLOT_SECONDS).
void gnuplot_close(gnuplot* g, output* to);

#endif
