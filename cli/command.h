/*
 * The commands of bristle. A new one is one row in the table of main.c.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>

typedef struct command {
    const char* name;
    const char* summary;               // one line
    const char* help;                  // synopsis, options, units, an example
    int (*run)(int argc, char** argv); // argv[0] is the command's name; returns the exit status
} command;

extern const char run_help[];
int run_main(int argc, char** argv);

extern const char check_help[];
int check_main(int argc, char** argv);

extern const char constrained_help[];
int constrained_main(int argc, char** argv);

extern const char convert_help[];
int convert_main(int argc, char** argv);

extern const char cone_help[];
int cone_main(int argc, char** argv);

extern const char fit_help[];
int fit_main(int argc, char** argv);
// The help of one kind of fit: "law". Returns false if no kind has that name.
bool fit_print_help(const char* name);

extern const char new_help[], upgrade_help[];
int new_main(int argc, char** argv);
int upgrade_main(int argc, char** argv);

extern const char surface_help[];
int surface_main(int argc, char** argv);

extern const char sweep_help[];
int sweep_main(int argc, char** argv);

#endif
