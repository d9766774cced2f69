/*
 * The study of one published figure or table: its numbers, its picture, and the comparison.
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
    int effort;         // greater effort starts first, so that no long item is left for the end
    const char* nature; // of an item without computation (`make` is NULL): "schematic"
} item;

// Source of a number that ours is compared with.
typedef enum source_kind {
    SOURCE_NONE,   // none
    SOURCE_TEXT,   // printed in the paper's text
    SOURCE_TABLE,  // printed in one of its tables
    SOURCE_FIGURE, // read off one of its figures
    SOURCE_CODE,   // the authors' code, run by us
    SOURCE_ORACLE, // our own program, independent of the library
    SOURCE_CLOSED, // a closed form
    SOURCE_OURS    // the same run of this library: another model, another method
} source_kind;

typedef struct source {
    source_kind kind;
    const char* where; // "Table II", "Fig 6, read to 1e-4"
} source;

// Result of the comparison of a number.
typedef enum result_kind {
    RESULT_AGREES,
    RESULT_EXPLAINED,    // differs for a known reason
    RESULT_DIFFERS,      // differs for no known reason
    RESULT_NO_REFERENCE, // the paper shows it, but prints no number
    RESULT_SHOWN         // for context: a timing, a number of ours alone
} result_kind;

typedef struct verdict {
    const char* what; // with its unit
    source from;
    double other; // the number of the source; NaN: none, or a difference of curves
    double ours;
    double difference;
    double tolerance;    // of the difference; NaN: not judged
    const char* because; // reason of a difference, if there is one
    result_kind is;
} verdict;

struct study {
    const item* item;
    const char* folder; // folder of its files
    bool as_published;  // follow the published protocol exactly
    table rows;         // becomes NAME.csv
    verdict* verdicts;
    size_t verdict_count;
    const char** notes;
    size_t note_count;
    bool has_picture;
};

// Result of an item as a whole: the worst of its numbers.
typedef enum outcome {
    OUTCOME_AGREES,
    OUTCOME_SHOWN,     // nothing was judged
    OUTCOME_EXPLAINED, // differs for a known reason
    OUTCOME_DIFFERS,
    OUTCOME_FAILED
} outcome;

// The authors' code of W&K, run by us: the fields of CSV files in test/golden/wk.
extern const source WK_CODE;

source source_text(const char* where);
source source_table(const char* which);
source source_figure(const char* which_and_reading_error);
source source_oracle(const char* which);
source source_closed(const char* which);
source source_ours(const char* which);

// The table of the study, empty; `columns` is borrowed.
table* study_table(study* s, names columns);

// Judge |ours - other| <= tolerance. `because`: reason of a difference; NULL: there should be none.
void study_judge(study* s, const char* what, source from, double other, double ours,
                 double tolerance, const char* because);

// Judge a difference that was computed elsewhere, such as the largest one of a curve.
void study_judge_difference(study* s, const char* what, source from, double difference,
                            double tolerance, const char* because);

// A part of the figure that has nothing to compare with.
void study_lack(study* s, const char* what);

// The larger of two differences; unlike fmax() it is NaN if one is, so that no NaN agrees.
double study_larger(double a, double b);

// Show a number with another without judging it: a timing, for example.
void study_show(study* s, const char* what, source from, double other, double ours);

// Show a difference that was computed elsewhere.
void study_show_difference(study* s, const char* what, source from, double difference);

// Show a number of ours alone.
void study_show_own(study* s, const char* what, double ours);

// CPU time of this study so far [s]: other processes do not count.
double study_clock(void);

// A sentence for the report, formatted as by printf.
void study_note(study* s, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Write NAME.csv.
void study_write_table(const study* s);

// Write NAME.png: `write_script` gets gnuplot's stream after the terminal and the line types are
// set. `data` is passed to it.
void study_draw(study* s, size_t width, size_t height,
                void (*write_script)(const study* s, const void* data, FILE* to), const void* data);

// Write a table as gnuplot's data block $NAME.
void study_write_block(const char* name, const table* rows, FILE* to);

// Write the part of the report about this study.
void study_report(const study* s, FILE* to);

// Result of the study, and in words: largest difference for each reason, numbers without reference.
outcome study_outcome(const study* s);
const char* study_summary(const study* s);

#endif
