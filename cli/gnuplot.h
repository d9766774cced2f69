/*
 * gnuplot as a child: a script in, a picture out.
 */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include <stdio.h>
#include <sys/types.h>

#include "output.h"

typedef struct gnuplot {
    pid_t child;
    FILE* script;   // write the script here
    FILE* messages; // what gnuplot says on stderr
} gnuplot;

// Start gnuplot with its stdout going to `picture`. A missing gnuplot ends the command.
gnuplot gnuplot_open(int picture);

// The script is complete: wait for the picture in `to`. A failure ends the command.
void gnuplot_close(gnuplot* pipe, output* to);

#endif
