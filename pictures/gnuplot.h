/*
 * gnuplot as a child: a script in, a picture out.
 */
#ifndef PICTURES_GNUPLOT_H
#define PICTURES_GNUPLOT_H

#include <stdio.h>

#include "output.h"

typedef struct gnuplot {
    FILE* script;   // write the script here
    FILE* messages; // what gnuplot says on stderr
} gnuplot;

// Begin a script.
gnuplot gnuplot_open(void);

// The script is complete: let gnuplot draw it into the stream of `to`, which is left to be committed and
// knows whether it could be written. A gnuplot that is missing or fails ends the command.
void gnuplot_close(gnuplot* g, output* to);

#endif
