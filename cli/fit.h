/*
 * The kinds of `bristle fit`: each is one file fit_KIND.c, a part of the help in
 * fit_KIND.h, and a row in command_fit.c.
 */
#ifndef CLI_FIT_H
#define CLI_FIT_H

// Main functions: argv[0] is "fit", without the kind. They return the exit status.
int fit_law_main(int argc, char** argv);
int fit_pressure_main(int argc, char** argv);
int fit_pushes_main(int argc, char** argv);
int fit_contact_main(int argc, char** argv);

#endif
