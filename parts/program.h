/*
 * Separate programs that are commands of bristle, as in git: `bristle bench` starts bristle-bench from the folder
 * of the command. Their help texts are in the command itself, so they can be read without the programs.
 */
#ifndef PARTS_PROGRAM_H
#define PARTS_PROGRAM_H

#include <stdbool.h>

extern const char bench_help[];
extern const char reproduce_help[];

// In the command: replace this process by the program bristle-NAME, where NAME is argv[0]; if it is missing, print
// how to get it and exit.
_Noreturn int program_main(int argc, char** argv);

// The same for the program bristle-NAME; `advice` is printed if it is missing.
_Noreturn void program_become(const char* name, char** argv, const char* advice);

// In the program, its whole main(): help, version, and `run` with NAME as argv[0].
int program_run(const char* name, const char* help, int (*run)(int argc, char** argv), int argc,
                char** argv);

// Is one of the words after the first --help or -h?
bool program_asks_for_help(int argc, char** argv);

#endif
