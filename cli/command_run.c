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
    "Simulate a scenario and write a table. This version runs\n"
    "  law + motion      a one-dimensional law under an imposed motion; columns t,v,f,z\n"
    "  law + rig         the same under a mass pulled by a spring; columns t,x,v,f,z\n"
    "  contact + motion  a contact patch under an imposed planar motion;\n"
    "                    columns t,vx,vy,w,fx,fy,tau,fn, twist and wrench at the CoP\n"
    "in s, m, m/s, rad/s, N, N m; z in m. f of a law is its resistance along +v.\n"
    "\n"
    "Keys of a scenario:\n"
    "  law: {kind: coulomb|stiction|stribeck|dahl|lugre|elasto-plastic, mu_c, mu_s, v_s [m/s],\n"
    "        gamma (2), sigma0 [1/m; dahl N/m], sigma1 (0) [s/m], sigma2 (0) [s/m], s_ba (0.9),\n"
    "        alpha (1)}       a law ignores the parameters of others\n"
    "  motion: {file: v.csv, hold [s]}       columns t,v[,fn], or\n"
    "          {velocity: PROFILE [m/s], normal_force: PROFILE (1) [N]}\n"
    "  rig: {mass [kg], stiffness (0) [N/m], pull (0) [m/s], force: PROFILE (0) [N],\n"
    "        normal_force: PROFILE (1) [N]}      m x'' = k (pull t - x) + force - f\n"
    "  model: distributed|blocks|reduced|ellipsoid|coulomb, blocks: m (5) across for blocks\n"
    "  friction: {as law, without kind; elasto_plastic (true)}\n"
    "  contact: {patch: as for bristle surface, normal_force: PROFILE (1) [N], count (1),\n"
    "            surface: {method: exact|grid|published (exact), n (20)}, guard (true)}\n"
    "                         the last two for reduced\n"
    "  motion: {file: v.csv, hold [s]}       columns t,vx,vy,w, or\n"
    "          {vx: PROFILE [m/s], vy: PROFILE [m/s], w: PROFILE [rad/s]}\n"
    "  duration [s]           default: the last t of the motion's file\n"
    "  output: {every [s]}    default: the file's rows, else duration/200\n"
    "  integrator: {kind: rosenbrock|cvode, rtol (1e-6), atol (1e-8) [m, m/s], atol_z (1e-10) [m],\n"
    "               max_step [s]}\n"
    "  PROFILE: a number, or {kind: sine, mean, amplitude, frequency [Hz], phase [rad], start [s]},\n"
    "           {kind: steps, times: [...], values: [...]}, {file: p.csv, column: NAME}; each with\n"
    "           hold: h [s] to keep the value of instant i h until the next\n"
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
    "  bristle run slip.yaml -o slip.csv --plot slip.png\n";

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
