/*
 * Programs of their own that the command starts as if they were part of it, as git does: `bristle bench` is
 * bristle-bench, in the folder of the command. The command knows their help, whether they are there or not.
 */
#ifndef PARTS_PROGRAM_H
#define PARTS_PROGRAM_H

#include <stdbool.h>

extern const char bench_help[];
extern const char reproduce_help[];

// The command's side: become the program bristle-NAME, where NAME is argv[0]; if it is not there, say how to
// get it and end.
_Noreturn int program_main(int argc, char** argv);

// The same for the program bristle-NAME; `advice` is said if it is not there.
_Noreturn void program_become(const char* name, char** argv, const char* advice);

// The program's side, all of its main(): help, version, and `run` with NAME as argv[0].
int program_run(const char* name, const char* help, int (*run)(int argc, char** argv), int argc,
                char** argv);

// Is one of the words behind the first --help or -h?
bool program_asks_for_help(int argc, char** argv);

#endif
