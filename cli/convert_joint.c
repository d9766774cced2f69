/*
 * bristle convert: the law of a joint for a physics engine.
 *
 * All engines have Coulomb's friction and a damping, mu_c fn + sigma2 fn |v|. MuJoCo's <dcmotor> has LuGre's bristles
 * with the Stribeck exponent 2, too: lugre="sigma0 sigma1 F_C F_S v_S".
 */
#include "convert_joint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "input.h"
#include "json.h"
#include "message.h"
#include "text.h"

typedef enum joint_engine { TO_MUJOCO, TO_DRAKE, TO_GAZEBO } joint_engine;
static const char* const joint_engines[] = {"mujoco", "drake", "gazebo", NULL};

// A law as engines have it.
typedef struct joint {
    joint_engine engine;
    const char* name;
    const br_law* law;
    double friction, damping; // [N m, N m s]
    double lugre[5];          // sigma0, sigma1, F_C, F_S, v_S
    bool has_bristles;
} joint;

bool convert_is_joint(const br_scenario* file)
{
    static const char start[] = "law + ";
    if (strncmp(br_scenario_get_kind(file), start, strlen(start)) != 0) {
        return false;
    }
    input_check(file);
    return true;
}

static joint joint_of(const options* o, const br_law* law, const char* name)
{
    const bool is_dahl = law->kind == BR_LAW_DAHL;
    const bool has_peak = law->kind != BR_LAW_COULOMB && !is_dahl;
    const bool has_damping = law->kind == BR_LAW_LUGRE || law->kind == BR_LAW_ELASTO_PLASTIC;
    const double coulomb = law->mu_c * o->fn, sigma1 = has_damping ? law->sigma1 * o->fn : 0;
    return (joint){.engine = (joint_engine)text_choose("--to", o->to, joint_engines),
                   .name = name,
                   .law = law,
                   .friction = coulomb,
                   .damping = has_peak ? law->sigma2 * o->fn : 0,
                   .lugre = {law->sigma0 * (is_dahl ? 1 : o->fn), sigma1, coulomb,
                             has_peak ? law->mu_s * o->fn : coulomb,
                             has_peak ? law->v_stribeck : 1},
                   .has_bristles = br_law_has_state(law->kind)};
}

// What the engine leaves out of the law.
static void print_notes(const joint* j)
{
    const br_law* law = j->law;
    const bool has_peak = j->lugre[3] > j->lugre[2];
    if (has_peak) {
        printf(
            "<!-- friction is mu_c: rest has no more than sliding (here %.3g times as much) -->\n",
            j->lugre[3] / j->lugre[2]);
    }
    if (j->engine != TO_MUJOCO || !j->has_bristles) {
        return;
    }
    if (has_peak && law->gamma != 2) {
        printf("<!-- lugre has the Stribeck exponent 2, not %.3g -->\n", law->gamma);
    }
    if (law->kind == BR_LAW_ELASTO_PLASTIC) {
        puts("<!-- lugre has no elastic band s_ba: held loads that vary creep -->");
    }
    if (law->kind == BR_LAW_DAHL && law->alpha != 1) {
        printf("<!-- lugre has Dahl's exponent 1, not %.3g -->\n", law->alpha);
    }
    if (j->lugre[1] > 0 && law->v_damping > 0 && isfinite(law->v_damping)) {
        puts("<!-- sigma1 of lugre does not decrease with the speed -->");
    }
}

static void print_mujoco(const joint* j)
{
    printf("<default>\n  <default class=\"%s\">\n", j->name);
    printf("    <joint frictionloss=\"%.6g\" damping=\"%.6g\"/>\n  </default>\n", j->friction,
           j->damping);
    puts("</default>");
    if (j->has_bristles) {
        printf(
            "<!-- or damping=\"%.6g\" alone, and bristles in its motor, with K and R of the motor -->\n",
            j->damping);
        printf("<actuator>\n  <dcmotor joint=\"%s\" motorconst=\"K\" resistance=\"R\"\n", j->name);
        printf("           lugre=\"%.6g %.6g %.6g %.6g %.6g\"/>\n</actuator>\n", j->lugre[0],
               j->lugre[1], j->lugre[2], j->lugre[3], j->lugre[4]);
    }
}

static void print_drake(const joint* j)
{
    printf("<dynamics damping=\"%.6g\" friction=\"%.6g\"/>\n", j->damping, j->friction);
    puts("<!-- in the <joint> of a URDF; versions of Drake without joint friction read the damping "
         "alone -->");
}

static void print_gazebo(const joint* j)
{
    printf("<dynamics>\n  <damping>%.6g</damping>\n  <friction>%.6g</friction>\n</dynamics>\n",
           j->damping, j->friction);
    puts("<!-- in the <axis> of a joint in SDF -->");
}

static void print_json(const joint* j)
{
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_text(&out, "engine", joint_engines[j->engine]);
    json_text(&out, "law", br_law_get_name(j->law->kind));
    json_number(&out, j->engine == TO_MUJOCO ? "frictionloss" : "friction", j->friction);
    json_number(&out, "damping", j->damping);
    if (j->engine == TO_MUJOCO && j->has_bristles) {
        json_numbers(&out, "lugre", j->lugre, 5);
    }
    json_end(&out, '}');
    putchar('\n');
}

int convert_joint(const options* o, const br_scenario* file, const char* name)
{
    static void (*const print[])(const joint*) = {print_mujoco, print_drake, print_gazebo};
    const br_law* law = br_scenario_get_model(file).law;
    if (o->cone || o->faces || o->plot) {
        message_fail(EXIT_USAGE, "%s: is for patches; %s is a law",
                     o->cone    ? "--cone"
                     : o->faces ? "--faces"
                                : "--plot",
                     o->file);
    }
    if (law->curve) {
        message_fail(EXIT_USAGE,
                     "%sengines have no tables of friction: fit a law, or give mu_c and "
                     "sigma2",
                     input_place(file, "law.curve"));
    }
    if (!(o->fn > 0)) {
        message_fail(EXIT_USAGE, "--fn %s: must be a number > 0 [N]", o->fn_text);
    }
    const joint j = joint_of(o, law, name);
    if (o->json) {
        print_json(&j);
    } else {
        print[j.engine](&j);
        print_notes(&j);
    }
    return EXIT_DONE;
}
