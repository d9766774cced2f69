/*
 * bristle run: simulate a scenario.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "document.h"
#include "memory.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "plot.h"
#include "progress.h"
#include "scenario.h"
#include "set.h"
#include "summary.h"
#include "table.h"

const char run_help[] =
    "usage: bristle run SCENARIO.yaml [-o OUT] [--plot FILE] [--set KEY=VALUE]... [--json]\n"
    "\n"
    "Simulate a scenario and write a table, in s, m, rad, m/s, rad/s, N, N m. What stands in the\n"
    "file says what runs; the kinds of scenarios follow below.\n"
    "\n"
    "  -o, --output OUT  write the table to OUT (CSV, or NumPy's format for OUT.npz) instead of\n"
    "                    stdout; whole or not at all; - is stdout\n"
    "  --plot FILE       draw it, too: FILE.png, FILE.svg or FILE.pdf (needs gnuplot)\n"
    "  --set KEY=VALUE   override a key, e.g. --set law.mu_c=0.5; may be repeated\n"
    "  --json            print a summary as one JSON object (the table then needs -o)\n"
    "  -q, --quiet       no progress bar, no summary\n"
    "  -h, --help        print this\n"
    "\n"
    "example:\n"
    "  cat > slip.yaml <<END\n"
    "  law: {kind: lugre, mu_c: 1, mu_s: 1.5, v_s: 1e-3, sigma0: 1e5, sigma1: 316.2, sigma2: 0.4}\n"
    "  rig: {mass: 1, stiffness: 2, pull: 0.1}\n"
    "  duration: 20\n"
    "  END\n"
    "  bristle run slip.yaml -o slip.csv --plot slip.png\n"
    "\n"
    "Keys of every scenario (defaults in parentheses):\n"
    "  duration [s]           default: the last t of the motion's file\n"
    "  output: {every [s]}    default: the file's rows, else duration/200\n"
    "  integrator: {kind: rosenbrock|cvode, rtol (1e-6), atol (1e-8) [m, m/s], atol_z (1e-10) [m],\n"
    "               max_step [s]}\n"
    "  PROFILE: a number, or {kind: sine, mean, amplitude, frequency [Hz], phase [rad], start [s]},\n"
    "           {kind: steps, times: [...], values: [...]}, {file: p.csv, column: NAME}; each with\n"
    "           hold: h [s] to keep the value of instant i h until the next\n";

static result compute(scenario* s, bool quiet)
{
    result got = {.rows = table_create(s->columns), .bar = progress_begin(quiet)};
    got.rows.words = s->words;
    s->run.progress = result_on_progress;
    s->run.user = &got;

    br_reason why = {"", ""};
    const br_status status = s->kind->run(s, &got, &why);
    progress_end(&got.bar);
    got.wall = progress_clock() - got.bar.start;
    if (status != BR_OK) {
        scenario_fail(s, status, &why);
    }
    return got;
}

static void draw(const scenario* s, const result* got, output* to)
{
    if (s->kind->draw) {
        s->kind->draw(s, got, to);
        return;
    }
    const char* title = memory_format("%s: %s, %s", node_file(s->root), s->kind->name, s->detail);
    const plot picture = {title, "t [s]", s->panels, s->panel_count};
    plot_draw(&picture, &got->rows, to);
}

static scenario read(const options* o)
{
    node* root = document_read(o->file);
    for (size_t i = 0; i < o->set_count; i++) {
        set_apply(root, o->sets[i]);
    }
    return scenario_read(root);
}

int run_main(int argc, char** argv)
{
    const options o = options_read(
        argc, argv, OPTION_OUTPUT | OPTION_PLOT | OPTION_SET | OPTION_JSON | OPTION_QUIET);
    const char* name = options_table_name(&o);
    if (o.plot) {
        plot_check_name(o.plot);
    }
    scenario s = read(&o);

    // opened before the work, so that a place that cannot be written is known at once
    output* to = name ? output_open(name) : NULL;
    output* picture = o.plot ? output_open(o.plot) : NULL;
    const result got = compute(&s, o.quiet);
    if (to) {
        table_write(&got.rows, to);
    }
    const bool has_summary = !o.json && !o.quiet && o.output && strcmp(o.output, "-") != 0;
    if (o.json) {
        summary_print_json(&s, &got, stdout);
    } else if (has_summary) {
        summary_print_text(&s, &got, o.output, stdout);
    }
    if (picture) {
        draw(&s, &got, picture);
        if (has_summary) {
            printf("%s: picture\n", o.plot);
        }
    }
    return EXIT_DONE;
}
