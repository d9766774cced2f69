/*
 * W&K's in-hand slip-stick experiments.
 *
 * The contact stays at the origin and does not rotate; the object, 0.15 m x 0.08 m and 0.2 kg,
 * hangs between two fingers under gravity. Each finger presses with f_N, constant for 10 ms.
 */
#include "wk_grip.h"

#include <math.h>

#include "memory.h"
#include "message.h"
#include "wk_stale.h"

static const double HOLD = 0.01; // [s]

br_profile wk_grip_force(const wk_grip* grip)
{
    static const double t1[] = {0, 0.31, 0.5}, f1[] = {4, 2.9, 4};
    static const double t2[] = {0, 0.33, 0.5}, f2[] = {2, 0.84, 2};
    if (grip->force == 2) {
        return (br_profile){.kind = BR_PROFILE_STEPS,
                            .count = 3,
                            .t = grip->case_number == 1 ? t1 : t2,
                            .value = grip->case_number == 1 ? f1 : f2};
    }
    return (br_profile){.kind = BR_PROFILE_SINE,
                        .mean = grip->case_number == 1 ? 3.6 : 1.73,
                        .amplitude = grip->case_number == 1 ? 0.9 : 0.91,
                        .frequency = 2,
                        .hold = HOLD};
}

static void on_row(const double* row, void* user)
{
    wk_grip_result* to = user;
    const row_columns* of = &to->columns;
    to->dissipated = row_number(of, row, "dissipated");
    to->residual = row_number(of, row, "residual");
    if (row[0] > 0) {
        to->rows[to->count++] = (wk_grip_row){row[0], row_number(of, row, "fn"), row_pose(of, row),
                                              row_wrench(of, row)};
        to->time_slipping += row_number(of, row, "state") == BR_STATE_SLIP ? HOLD : 0;
    }
}

static void on_event(const br_run_event* event, void* user)
{
    wk_grip_result* to = user;
    if (event->kind == BR_EVENT_SLIP && isnan(to->first_slip)) {
        to->first_slip = event->t;
    }
}

wk_grip_result* wk_run_grip_contact(const wk_grip* grip, br_body_contact contact)
{
    wk_grip_result* got = memory_allocate(1, sizeof *got);
    got->first_slip = (double)NAN;
    contact.frame = BR_FRAME_WORLD;
    contact.count = 2;
    contact.normal_force = wk_grip_force(grip);

    br_body body = br_body_default();
    body.mass = 0.2;
    body.inertia = 0.2 / 12 * (0.15 * 0.15 + 0.08 * 0.08);
    body.pose.x = grip->case_number == 1 ? 0.025 : 0.002;
    body.start = BR_START_RELAXED;
    body.gravity.y = -9.81;
    body.contacts = &contact;
    body.contact_count = 1;

    br_run_def def = br_run_def_default();
    def.duration = 2;
    def.every = HOLD;
    def.rtol = 1e-8;
    def.atol = 1e-10; // forces are 800 s/m times a velocity
    def.atol_z = 1e-12;
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = rows_start,
                                .row = on_row,
                                .event = on_event,
                                .user = got};
    br_reason why = {"", ""};
    const double start = study_clock();
    if (br_body_run(&body, &def, &watch, NULL, &why) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s: %s", why.field, why.text);
    }
    got->seconds = study_clock() - start;
    return got;
}

wk_grip_result* wk_run_grip(wk_grip grip)
{
    if (grip.keeps_u && !grip.is_distributed && grip.shape == WK_GROWING_K2) {
        return wk_run_stale_grip(&grip);
    }
    const br_patch* patch =
        grip.as_published ? wk_grid(grip.shape, WK_CELLS, 0) : wk_exact_patch(grip.shape);
    const br_limit_method method = grip.as_published                  ? BR_LIMIT_PUBLISHED
                                   : br_patch_depends_on_force(patch) ? BR_LIMIT_CURVE
                                                                      : BR_LIMIT_SMOOTH;
    br_body_contact contact = {0};
    if (grip.is_distributed) {
        contact.contact = wk_distributed(patch, wk_law(1, true), WK_CELLS);
    } else {
        contact.contact = wk_reduced(patch, wk_law(1, true), method, WK_NODES);
    }
    return wk_run_grip_contact(&grip, contact);
}
