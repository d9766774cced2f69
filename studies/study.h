/*
 * The study of one published figure or table: its numbers, its picture, and how it compares.
 */
#ifndef STUDIES_STUDY_H
#define STUDIES_STUDY_H

#include <stdbool.h>
#include <stdio.h>

#include "table.h"

typedef struct study study;

// A published figure or table; a new one is a row in the list of items.c.
typedef struct item {
    const char* name;  // "wk-fig5"
    const char* title; // one line
    void (*make)(study* s);
    int effort; // the greater is started first, so that no long one is left for the end
} item;

// A number of ours beside the published one.
typedef struct verdict {
    const char* what; // with its unit
    double published; // NaN: the source gives no number
    double ours;
    double difference;
    double tolerance; // of the difference; NaN: shown for context, not judged
    bool is_good;
} verdict;

struct study {
    const item* item;
    const char* folder; // where its files go
    bool as_published;  // follow the published protocol to the letter
    table rows;         // becomes NAME.csv
    verdict* verdicts;
    size_t verdict_count;
    const char** notes;
    size_t note_count;
};

// The table of the study, empty; `columns` is borrowed.
table* study_table(study* s, names columns);

// Judge: |ours - published| <= tolerance.
void study_judge(study* s, const char* what, double published, double ours, double tolerance);

// Judge: |ours/published - 1| <= tolerance.
void study_judge_relative(study* s, const char* what, double published, double ours,
                          double tolerance);

// Judge a difference that was computed elsewhere, such as the largest one of a whole curve.
void study_judge_difference(study* s, const char* what, double difference, double tolerance);

// The larger of two differences; unlike fmax() it is NaN if one is, so that no NaN agrees.
double study_larger(double a, double b);

// Show a number beside the published one without judging it: a timing, for example. NaN: none.
void study_show(study* s, const char* what, double published, double ours);

// Processor time that this study took so far [s]: what else runs on the machine does not count.
double study_clock(void);

// A sentence for the report, as printf makes it.
void study_note(study* s, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Write NAME.csv.
void study_write_table(const study* s);

// Write NAME.png: `write_script` gets gnuplot's stream after the terminal and the line types are set.
// `data` is handed through.
void study_draw(const study* s, size_t width, size_t height,
                void (*write_script)(const study* s, const void* data, FILE* to), const void* data);

// Write a table as gnuplot's data block $NAME.
void study_write_block(const char* name, const table* rows, FILE* to);

// The part of the report that is about this study.
void study_report(const study* s, FILE* to);

// Have all verdicts been good?
bool study_is_good(const study* s);

// How many numbers were judged, not just shown.
size_t study_count_judged(const study* s);

#endif
