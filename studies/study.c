/*
 * The study of one published figure or table.
 */
#include "study.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "gnuplot.h"
#include "memory.h"
#include "message.h"
#include "output.h"
#include "plot.h"

table* study_table(study* s, names columns)
{
    s->rows = table_create(columns);
    return &s->rows;
}

static void add(study* s, verdict fresh)
{
    s->verdicts = memory_grow(s->verdicts, s->verdict_count + 1, sizeof *s->verdicts);
    s->verdicts[s->verdict_count++] = fresh;
}

const source WK_CODE = {SOURCE_CODE, "f4c23f2"};

source source_text(const char* where)
{
    return (source){SOURCE_TEXT, where};
}

source source_table(const char* which)
{
    return (source){SOURCE_TABLE, which};
}

source source_figure(const char* which_and_reading_error)
{
    return (source){SOURCE_FIGURE, which_and_reading_error};
}

source source_oracle(const char* which)
{
    return (source){SOURCE_ORACLE, which};
}

source source_closed(const char* which)
{
    return (source){SOURCE_CLOSED, which};
}

source source_ours(const char* which)
{
    return (source){SOURCE_OURS, which};
}

static result_kind judge(double difference, double tolerance, const char* because)
{
    if (fabs(difference) <= tolerance) {
        return RESULT_AGREES;
    }
    return because ? RESULT_EXPLAINED : RESULT_DIFFERS;
}

void study_judge(study* s, const char* what, source from, double other, double ours,
                 double tolerance, const char* because)
{
    const double difference = ours - other;
    add(s, (verdict){what, from, other, ours, difference, tolerance, because,
                     judge(difference, tolerance, because)});
}

void study_judge_difference(study* s, const char* what, source from, double difference,
                            double tolerance, const char* because)
{
    add(s, (verdict){what, from, (double)NAN, (double)NAN, difference, tolerance, because,
                     judge(difference, tolerance, because)});
}

void study_lack(study* s, const char* what)
{
    add(s, (verdict){.what = what,
                     .other = (double)NAN,
                     .ours = (double)NAN,
                     .difference = (double)NAN,
                     .tolerance = (double)NAN,
                     .is = RESULT_NO_REFERENCE});
}

double study_larger(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

void study_show(study* s, const char* what, source from, double other, double ours)
{
    add(s, (verdict){what, from, other, ours, (double)NAN, (double)NAN, NULL, RESULT_SHOWN});
}

void study_show_difference(study* s, const char* what, source from, double difference)
{
    add(s, (verdict){what, from, (double)NAN, (double)NAN, difference, (double)NAN, NULL,
                     RESULT_SHOWN});
}

void study_show_own(study* s, const char* what, double ours)
{
    study_show(s, what, (source){SOURCE_NONE, NULL}, (double)NAN, ours);
}

double study_clock(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

void study_note(study* s, const char* format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    s->notes = memory_grow(s->notes, s->note_count + 1, sizeof *s->notes);
    s->notes[s->note_count++] = memory_format("%s", text);
}

static output* open_file(const study* s, const char* suffix)
{
    return output_open(memory_format("%s/%s%s", s->folder, s->item->name, suffix));
}

void study_write_table(const study* s)
{
    table_write(&s->rows, open_file(s, ".csv"));
}

void study_draw(study* s, size_t width, size_t height,
                void (*write_script)(const study* s, const void* data, FILE* to), const void* data)
{
    output* to = open_file(s, ".png");
    gnuplot pipe = gnuplot_open();
    plot_write_terminal(to->name, width, height, pipe.script);
    plot_write_styles(pipe.script);
    write_script(s, data, pipe.script);
    gnuplot_close(&pipe, to);
    output_commit(to);
    s->has_picture = true;
}

void study_write_block(const char* name, const table* rows, FILE* to)
{
    fprintf(to, "$%s << EOD\n", name);
    for (size_t r = 0; r < rows->rows; r++) {
        for (size_t c = 0; c < rows->width; c++) {
            fprintf(to, "%.9g%c", table_row(rows, r)[c], c + 1 < rows->width ? ' ' : '\n');
        }
    }
    fputs("EOD\n", to);
}

static size_t count_results(const study* s, result_kind is)
{
    size_t count = 0;
    for (size_t i = 0; i < s->verdict_count; i++) {
        count += s->verdicts[i].is == is;
    }
    return count;
}

outcome study_outcome(const study* s)
{
    return count_results(s, RESULT_DIFFERS) > 0     ? OUTCOME_DIFFERS
           : count_results(s, RESULT_EXPLAINED) > 0 ? OUTCOME_EXPLAINED
           : count_results(s, RESULT_AGREES) > 0    ? OUTCOME_AGREES
                                                    : OUTCOME_SHOWN;
}

// The reasons of all differences, each once; too many are an error of the study.
enum { MAX_REASONS = 8 };
typedef struct reasons {
    const char* text[MAX_REASONS];
    const verdict* worst[MAX_REASONS]; // the largest difference for the reason, in tolerances
    size_t count;
} reasons;

static size_t find_reason(const reasons* r, const char* because)
{
    size_t i = 0;
    while (i < r->count && strcmp(r->text[i], because) != 0) {
        i++;
    }
    return i;
}

static reasons collect_reasons(const study* s)
{
    reasons r = {.count = 0};
    for (size_t i = 0; i < s->verdict_count; i++) {
        const verdict* v = &s->verdicts[i];
        if (v->is != RESULT_EXPLAINED) {
            continue;
        }
        const size_t at = find_reason(&r, v->because);
        if (at == MAX_REASONS) {
            message_fail(EXIT_COMPUTATION, "%s: too many reasons", s->item->name);
        }
        if (at == r.count) {
            r.text[r.count++] = v->because;
            r.worst[at] = v;
        } else if (fabs(v->difference / v->tolerance) >
                   fabs(r.worst[at]->difference / r.worst[at]->tolerance)) {
            r.worst[at] = v;
        }
    }
    return r;
}

// "differs, because ..." for each reason, with its largest difference.
static const char* list_reasons(const study* s)
{
    const reasons r = collect_reasons(s);
    const char* text = "";
    for (size_t i = 0; i < r.count; i++) {
        text = memory_format("%s%sdiffers (%s: by %.3g), because %s", text, *text ? "; " : "",
                             r.worst[i]->what, r.worst[i]->difference, r.text[i]);
    }
    return text;
}

static const char* list_missing(const study* s)
{
    const char* text = "";
    for (size_t i = 0; i < s->verdict_count; i++) {
        if (s->verdicts[i].is == RESULT_NO_REFERENCE) {
            text = memory_format("%s%s%s", text,
                                 *text ? ", " : "; no reference: ", s->verdicts[i].what);
        }
    }
    return text;
}

// Sources of the numbers that agree: "the authors' code, print".
static const char* list_agreed(const study* s)
{
    static const char* const words[] = {"",
                                        "print",
                                        "print",
                                        "print",
                                        "the authors' code",
                                        "our own oracle",
                                        "a closed form",
                                        "another method of ours"};
    const char* text = "";
    for (size_t i = 0; i < s->verdict_count; i++) {
        const verdict* v = &s->verdicts[i];
        if (v->is == RESULT_AGREES && !strstr(text, words[v->from.kind])) {
            text = memory_format("%s%s%s", text, *text ? ", " : "", words[v->from.kind]);
        }
    }
    return text;
}

// Are all agreeing numbers compared only with other results of the same run?
static bool is_self_consistent(const study* s)
{
    size_t others = 0;
    for (size_t i = 0; i < s->verdict_count; i++) {
        others += s->verdicts[i].is == RESULT_AGREES && s->verdicts[i].from.kind != SOURCE_OURS;
    }
    return study_outcome(s) == OUTCOME_AGREES && others == 0;
}

const char* study_summary(const study* s)
{
    if (is_self_consistent(s)) {
        return "self-consistent; no printed number";
    }
    const size_t agree = count_results(s, RESULT_AGREES);
    const size_t explained = count_results(s, RESULT_EXPLAINED);
    const outcome end = study_outcome(s);
    const char* head = end == OUTCOME_DIFFERS     ? "**differs**"
                       : end == OUTCOME_EXPLAINED ? list_reasons(s)
                       : end == OUTCOME_AGREES ? memory_format("agrees (with %s)", list_agreed(s))
                                               : "shown";
    if (end == OUTCOME_EXPLAINED && agree > 0) {
        head = memory_format("%s; agrees in %zu of %zu numbers", head, agree, agree + explained);
    }
    return memory_format("%s%s", head, list_missing(s));
}

// A number of a report's table; nothing for NaN.
static const char* cell(double value)
{
    return isnan(value) ? "" : memory_format("%.6g", value);
}

static bool is_published(source_kind kind)
{
    return kind == SOURCE_TEXT || kind == SOURCE_TABLE || kind == SOURCE_FIGURE;
}

static const char* source_words(const verdict* v)
{
    static const char* const words[] = {"",
                                        "printed, text: ",
                                        "printed, ",
                                        "printed, ",
                                        "authors' code, run by us, ",
                                        "our own oracle: ",
                                        "closed form: ",
                                        "ours: "};
    return v->from.kind == SOURCE_NONE ? ""
                                       : memory_format("%s%s", words[v->from.kind], v->from.where);
}

static const char* word_of(const verdict* v, const reasons* r)
{
    switch (v->is) {
    case RESULT_AGREES:
        return "agrees";
    case RESULT_EXPLAINED:
        return memory_format("differs, because (%zu)", find_reason(r, v->because) + 1);
    case RESULT_DIFFERS:
        return "**differs**";
    case RESULT_NO_REFERENCE:
        return "no reference";
    default:
        return isnan(v->other) ? "shown" : memory_format("shown: %.3g times", v->ours / v->other);
    }
}

static void write_verdict(const verdict* v, const reasons* r, FILE* to)
{
    const char* other = cell(v->other);
    const bool published = is_published(v->from.kind);
    fprintf(to, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", v->what, source_words(v),
            published ? other : "", published ? "" : other, cell(v->ours), cell(v->difference),
            cell(v->tolerance), word_of(v, r));
}

void study_report(const study* s, FILE* to)
{
    fprintf(to, "## %s: %s\n\nVerdict: %s.\n\n", s->item->name, s->item->title, study_summary(s));
    for (size_t i = 0; i < s->note_count; i++) {
        fprintf(to, "%s\n\n", s->notes[i]);
    }
    if (s->verdict_count > 0) {
        fputs(
            "| quantity | source | published | reference | ours | difference | tolerance | verdict "
            "|\n|---|---|---|---|---|---|---|---|\n",
            to);
    }
    const reasons r = collect_reasons(s);
    for (size_t i = 0; i < s->verdict_count; i++) {
        write_verdict(&s->verdicts[i], &r, to);
    }
    for (size_t i = 0; i < r.count; i++) {
        fprintf(to, "%s(%zu) %s.\n", i == 0 ? "\n" : "", i + 1, r.text[i]);
    }
    fputc('\n', to);
    if (s->has_picture) {
        fprintf(to, "![%s](%s.png)\n\n", s->item->title, s->item->name);
    }
}
