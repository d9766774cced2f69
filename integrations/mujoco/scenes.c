/*
 * Scenes for the table.
 */
#include "scenes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void fail_with(const char* what, const char* why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static mjModel* load(const char* xml)
{
    static mjVFS files;
    char why[1000] = "";
    const size_t size = strlen(xml);
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "scene.xml", (int)size);
    memcpy(files.filedata[mj_findFileVFS(&files, "scene.xml")], xml, size);
    mjModel* m = mj_loadXML("scene.xml", &files, why, sizeof why);
    mj_deleteVFS(&files);
    if (!m) {
        fail_with("scene", why);
    }
    return m;
}

scene scene_make(const method* how, const brm_pair* pairs, size_t count, double h, const char* body,
                 ...)
{
    char inside[4000], xml[5000];
    scene s = {.how = how};
    br_reason why;
    va_list more;
    va_start(more, body);
    vsnprintf(inside, sizeof inside, body, more);
    va_end(more);
    snprintf(xml, sizeof xml,
             "<mujoco><option timestep='%g' cone='elliptic' impratio='%g' noslip_iterations='%d'>"
             "<flag energy='enable'/></option><default><geom condim='%d'/></default>%s</mujoco>",
             h, how->impratio, how->noslip, how->is_bristle ? 1 : 4, inside);
    s.m = load(xml);
    s.d = mj_makeData(s.m);
    if (how->is_bristle && brm_create(s.m, pairs, count, &s.adapter, &why) != BR_OK) {
        fail_with(why.field, why.text);
    }
    return s;
}

void scene_free(scene* s)
{
    brm_destroy(s->adapter);
    mj_deleteData(s->d);
    mj_deleteModel(s->m);
}

enum { HUNDRED = 100 };

void scene_step(scene* s)
{
    const double start = now();
    if (s->adapter) {
        brm_step(s->m, s->d, s->adapter);
    } else {
        mj_step(s->m, s->d);
    }
    s->spent += now() - start;
    if (++s->steps == HUNDRED) {
        s->min_spent = fmin(s->min_spent, s->spent);
        s->spent = 0.0;
        s->steps = 0;
    }
}

void scene_count(scene* s)
{
    s->spent = 0.0;
    s->min_spent = HUGE_VAL;
    s->steps = 0;
}

double scene_cost(const scene* s)
{
    return 1e6 * s->min_spent / HUNDRED;
}
