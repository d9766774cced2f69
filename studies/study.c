/*
 * The study of one published figure or table.
 */
#include "study.h"

#include <math.h>
#include <stdarg.h>
#include <time.h>

#include "gnuplot.h"
#include "memory.h"
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

void study_judge(study* s, const char* what, double published, double ours, double tolerance)
{
    const double difference = ours - published;
    add(s, (verdict){what, published, ours, difference, tolerance, fabs(difference) <= tolerance});
}

void study_judge_relative(study* s, const char* what, double published, double ours,
                          double tolerance)
{
    study_judge(s, what, published, ours, tolerance * fabs(published));
}

void study_judge_difference(study* s, const char* what, double difference, double tolerance)
{
    add(s, (verdict){what, (double)NAN, (double)NAN, difference, tolerance,
                     fabs(difference) <= tolerance});
}

double study_larger(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

void study_show(study* s, const char* what, double published, double ours)
{
    add(s, (verdict){what, published, ours, (double)NAN, (double)NAN, true});
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

void study_draw(const study* s, size_t width, size_t height,
                void (*write_script)(const study* s, const void* data, FILE* to), const void* data)
{
    output* to = open_file(s, ".png");
    gnuplot pipe = gnuplot_open();
    plot_write_terminal(to->name, width, height, pipe.script);
    plot_write_styles(pipe.script);
    write_script(s, data, pipe.script);
    gnuplot_close(&pipe, to);
    output_commit(to);
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

bool study_is_good(const study* s)
{
    for (size_t i = 0; i < s->verdict_count; i++) {
        if (!s->verdicts[i].is_good) {
            return false;
        }
    }
    return true;
}

size_t study_count_judged(const study* s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->verdict_count; i++) {
        count += !isnan(s->verdicts[i].tolerance);
    }
    return count;
}

// A number of a report's table; nothing for NaN.
static const char* cell(double value)
{
    return isnan(value) ? "" : memory_format("%.6g", value);
}

static const char* word_of(const verdict* v)
{
    if (isnan(v->tolerance)) {
        return isnan(v->published) ? "context"
                                   : memory_format("context: %.3g times", v->ours / v->published);
    }
    return v->is_good ? "agrees" : "**differs**";
}

void study_report(const study* s, FILE* to)
{
    fprintf(to, "## %s: %s\n\n", s->item->name, s->item->title);
    for (size_t i = 0; i < s->note_count; i++) {
        fprintf(to, "%s\n\n", s->notes[i]);
    }
    if (s->verdict_count > 0) {
        fputs("| quantity | published | ours | difference | tolerance | verdict |\n"
              "|---|---|---|---|---|---|\n",
              to);
    }
    for (size_t i = 0; i < s->verdict_count; i++) {
        const verdict* v = &s->verdicts[i];
        fprintf(to, "| %s | %s | %s | %s | %s | %s |\n", v->what, cell(v->published), cell(v->ours),
                cell(v->difference), cell(v->tolerance), word_of(v));
    }
    fprintf(to, "\n![%s](%s.png)\n\n", s->item->title, s->item->name);
}
