/*
 * Worlds: creation, and steps of all worlds.
 */
#include "planar/worlds_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/definition.h"
#include "limit/methods.h"
#include "math/processor.h"
#include "planar/contact_reduced.h"
#include "planar/worlds_lanes.h"

br_worlds_def br_worlds_def_default(const br_worlds_contact* contacts, size_t count)
{
    return (br_worlds_def){.size = sizeof(br_worlds_def),
                           .contacts = contacts,
                           .contact_count = count,
                           .mass = 1.0,
                           .inertia = 1.0,
                           .passes = 40};
}

// --- creation ---------------------------------------------------------------------------------------------

static br_status refuse(size_t contact, const char* member, const char* text, br_reason* why)
{
    char field[64];
    snprintf(field, sizeof field, "contacts[%zu].%s", contact, member);
    br_reason_set(why, field, "%s", text);
    return BR_ERR_DEF;
}

// NULL: the template suits; else why not.
static const char* objection_to(const br_contact* c)
{
    if (!c) {
        return "must be set";
    }
    if (c->def.method == BR_METHOD_DISTRIBUTED) {
        return "must not be distributed: use blocks, or a loop over br_step_coupled()";
    }
    if (c->spread_size > 0 || c->growth || c->on_pose || c->turns) {
        return "must depend neither on the normal force nor on the pose";
    }
    if (c->def.field) {
        return "must not have a field";
    }
    if (c->law.curve) {
        return "must not have a law with a table of g: worlds have mu_c, mu_s and v_s";
    }
    if (c->surface && c->surface->method != &bri_limit_smooth) {
        return "must have a smooth table (BR_LIMIT_SMOOTH) for its surface";
    }
    return NULL;
}

static br_status check_contact(const br_worlds_contact* c, size_t k, br_reason* why)
{
    const char* objection = objection_to(c->contact);
    if (objection) {
        return refuse(k, "contact", objection, why);
    }
    if (c->frame != BR_WORLDS_BODY && c->frame != BR_WORLDS_GROUND) {
        return refuse(k, "frame", "must be BR_WORLDS_BODY or BR_WORLDS_GROUND", why);
    }
    if (!isfinite(c->position.x) || !isfinite(c->position.y)) {
        return refuse(k, "position", "must be finite", why);
    }
    if (!isfinite(c->angle)) {
        return refuse(k, "angle", "must be finite", why);
    }
    if (!(c->fn >= 0.0) || !isfinite(c->fn)) {
        return refuse(k, "fn", "must be >= 0 and finite", why);
    }
    return BR_OK;
}

static br_status check_body(const br_worlds_def* def, br_reason* why)
{
    if (def->type != BR_WORLDS_DOUBLE && def->type != BR_WORLDS_FLOAT) {
        br_reason_set(why, "type", "must be BR_WORLDS_DOUBLE or BR_WORLDS_FLOAT");
        return BR_ERR_DEF;
    }
    if (!(def->mass > 0.0) || !isfinite(def->mass)) {
        br_reason_set(why, "mass", "must be > 0 and finite, got %g", def->mass);
        return BR_ERR_DEF;
    }
    if (!(def->inertia > 0.0) || !isfinite(def->inertia)) {
        br_reason_set(why, "inertia", "must be > 0 and finite, got %g", def->inertia);
        return BR_ERR_DEF;
    }
    if (def->passes < 1) {
        br_reason_set(why, "passes", "must be >= 1, got %d", def->passes);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check(const br_worlds_def* def, br_reason* why)
{
    if (!def->contacts || def->contact_count < 1 || def->contact_count > BR_WORLDS_CONTACTS) {
        br_reason_set(why, def->contacts ? "contact_count" : "contacts",
                      "there must be 1 to %d contacts, got %zu", BR_WORLDS_CONTACTS,
                      def->contacts ? def->contact_count : 0);
        return BR_ERR_DEF;
    }
    br_status status = check_body(def, why);
    for (size_t k = 0; k < def->contact_count && status == BR_OK; k++) {
        status = check_contact(&def->contacts[k], k, why);
    }
    return status;
}

// Numbers of the models: blocks of another size and states.
enum { SCALED_ARRAYS = 4, BRISTLES = 3 };

static size_t count_numbers(const br_worlds* w)
{
    br_step_contact contacts[BR_WORLDS_CONTACTS] = {{0}};
    size_t sum = 0;
    for (size_t k = 0; k < w->def.contact_count; k++) {
        contacts[k].contact = w->contacts[k].contact;
        sum += (SCALED_ARRAYS + BRISTLES) * contacts[k].contact->parts.count;
    }
    return sum + br_step_get_work(contacts, w->def.contact_count);
}

static void divide_numbers(br_worlds* w)
{
    w->work = w->numbers;
    for (size_t k = 0; k < w->def.contact_count; k++) {
        const size_t n = w->contacts[k].contact->parts.count;
        w->models[k].parts = w->work;
        w->models[k].z = w->work + SCALED_ARRAYS * n;
        w->work += (SCALED_ARRAYS + BRISTLES) * n;
    }
}

// --- lanes ------------------------------------------------------------------------------------------------

// The instance whose vectors are as long as those of `lanes` doubles; NULL: none.
static const worlds_in_lanes* instance_with(br_worlds_type type, int lanes)
{
    const int is_float = type == BR_WORLDS_FLOAT;
    switch (processor_has(lanes) ? lanes : 0) {
#if VECTOR_LANES & 8
    case 8:
        return is_float ? &bri_worlds_float_16 : &bri_worlds_double_8;
    case 4:
        return is_float ? &bri_worlds_float_8 : &bri_worlds_double_4;
#endif
#if VECTOR_LANES & 2
    case 2:
        return is_float ? &bri_worlds_float_4 : &bri_worlds_double_2;
#endif
    case 1:
        return is_float ? &bri_worlds_float_1 : &bri_worlds_double_1;
    default:
        return NULL;
    }
}

// The instance with `lanes` lanes of worlds of blocks; NULL: none. Shorter vectors lose against single steps, whose
// vectors run over the blocks.
static const worlds_in_lanes* blocks_with(int lanes)
{
    switch (processor_has(lanes) ? lanes : 0) {
#if VECTOR_LANES & 8
    case 8:
        return &bri_worlds_blocks_8;
    case 4:
        return &bri_worlds_blocks_4;
#endif
    default:
        return NULL;
    }
}

static lane_block block_at(const kernel_bundles* b, size_t i)
{
    const double w = b->weight[i], root_t = sqrt(b->t[i]), x = b->x[i], y = b->y[i];
    return (lane_block){.x = x,
                        .y = y,
                        .t = b->t[i],
                        .root_t = root_t,
                        .per_root_t = sqrt(b->per_t[i]),
                        .xx = b->xx[i],
                        .xy = b->xy[i],
                        .yy = b->yy[i],
                        .turn = b->turn[i],
                        .r2 = x * x + y * y,
                        .w = w,
                        .wx = w * x,
                        .wy = w * y,
                        .wt = w * root_t,
                        .wr2 = w * (x * x + y * y),
                        .w_t = w * b->t[i],
                        .row = i};
}

// 0: no memory.
static int list_blocks(const br_contact* c, block_list* out)
{
    const kernel_bundles* b = &c->parts;
    *out = (block_list){.at = br_allocate(b->count, sizeof *out->at),
                        .rows = b->count,
                        .one = b->one,
                        .mean_x = b->mean_x,
                        .mean_y = b->mean_y,
                        .square = b->square,
                        .half_gamma = 0.5 * c->law.gamma,
                        .square_law = c->law.gamma == 2.0};
    for (size_t i = 0; out->at && i < b->count; i++) {
        if (b->weight[i] > 0.0) {
            const lane_block at = block_at(b, i);
            const double arm = sqrt(at.r2) + at.root_t;
            out->at[out->count++] = at;
            out->arm += at.w * arm;
            out->longest = fmax(out->longest, arm);
        }
    }
    return out->at != NULL;
}

// May worlds be in lanes whose contacts are all of the method?
static int are_all_in_doubles(const br_worlds* w, br_method method)
{
    for (size_t k = 0; k < w->def.contact_count; k++) {
        if (w->contacts[k].contact->def.method != method) {
            return 0;
        }
    }
    return !w->def.plain && w->def.type == BR_WORLDS_DOUBLE;
}

// Put worlds whose contacts are all of blocks into lanes; 0: no memory.
static int choose_lanes_of_blocks(br_worlds* w)
{
    int enough = 1;
    if (!are_all_in_doubles(w, BR_METHOD_BLOCKS)) {
        return 1;
    }
    for (int lanes = 8; !w->in_lanes && lanes >= 4; lanes /= 2) {
        w->in_lanes = blocks_with(lanes);
    }
    for (size_t k = 0; w->in_lanes && k < w->def.contact_count; k++) {
        enough &= list_blocks(w->contacts[k].contact, &w->blocks[k]);
    }
    return enough;
}

// The instance with `lanes` lanes of worlds with smooth tables; NULL: none.
static const worlds_in_lanes* smooth_with(int lanes)
{
    switch (processor_has(lanes) ? lanes : 0) {
#if VECTOR_LANES & 8
    case 8:
        return &bri_worlds_smooth_8;
    case 4:
        return &bri_worlds_smooth_4;
#endif
#if VECTOR_LANES & 2
    case 2:
        return &bri_worlds_smooth_2;
#endif
    default:
        return NULL;
    }
}

static smooth_shape shape_of(const br_contact* c)
{
    smooth_shape shape = {.table = c->surface->data};
    for (int j = 0; j < 3; j++) {
        const kernel_motion along = bri_reduced_motion_along(c, j);
        for (int i = 0; i < 3; i++) {
            shape.rest[i][j] = along.y[i].v;
        }
    }
    return shape;
}

// Put worlds whose contacts are all reduced, with smooth tables, into lanes.
static void choose_lanes_of_tables(br_worlds* w)
{
    int suits = are_all_in_doubles(w, BR_METHOD_REDUCED);
    for (size_t k = 0; suits && k < w->def.contact_count; k++) {
        const br_contact* c = w->contacts[k].contact;
        suits = c->surface && c->law.gamma == 2.0;
        if (suits) {
            w->shapes[k] = shape_of(c);
        }
    }
    for (int lanes = 8; suits && !w->in_lanes && lanes > 1; lanes /= 2) {
        w->in_lanes = smooth_with(lanes);
    }
}

static void choose_lanes(br_worlds* w)
{
    for (size_t k = 0; k < w->def.contact_count; k++) {
        if (!worlds_is_for_lanes(w->contacts[k].contact)) {
            return;
        }
    }
    for (int lanes = w->def.plain ? 1 : 8; !w->in_lanes && lanes > 0; lanes /= 2) {
        w->in_lanes = instance_with(w->def.type, lanes);
    }
}

// Workspace of lanes, aligned to the longest vectors; 1: there is enough, or none is needed.
static int allocate_window(br_worlds* w)
{
    enum { ALIGNMENT = 64 };
    if (!w->in_lanes) {
        return 1;
    }
    const size_t more = w->in_lanes->more_bytes ? w->in_lanes->more_bytes(w) : 0;
    w->memory = br_allocate(w->in_lanes->bytes + more + ALIGNMENT, 1);
    w->window = (char*)w->memory + (ALIGNMENT - (uintptr_t)w->memory % ALIGNMENT);
    return w->memory != NULL;
}

br_status br_worlds_create(const br_worlds_def* given, br_worlds** out, br_reason* why)
{
    BR_ASSERT(given && out);
    *out = NULL;
    br_worlds_def def = br_worlds_def_default(NULL, 0);
    br_status status = DEFINITION_READ(br_worlds_def, given, &def, why);
    status = status == BR_OK ? check(&def, why) : status;
    if (status != BR_OK) {
        return status;
    }
    br_worlds* w = br_allocate(1, sizeof *w);
    if (w) {
        w->def = def;
        memcpy(w->contacts, def.contacts, def.contact_count * sizeof *w->contacts);
        w->def.contacts = w->contacts;
        w->numbers = br_allocate(count_numbers(w), sizeof *w->numbers);
        choose_lanes(w);
        choose_lanes_of_tables(w);
    }
    if (!w || !w->numbers || !choose_lanes_of_blocks(w) || !allocate_window(w)) {
        br_worlds_destroy(w);
        br_reason_set(why, "", "no memory for worlds");
        return BR_ERR_MEMORY;
    }
    divide_numbers(w);
    *out = w;
    return BR_OK;
}

void br_worlds_destroy(br_worlds* w)
{
    if (w) {
        for (size_t k = 0; k < BR_WORLDS_CONTACTS; k++) {
            br_release(w->blocks[k].at);
        }
        br_release(w->numbers);
        br_release(w->memory);
        br_release(w);
    }
}

size_t br_worlds_get_contact_count(const br_worlds* w)
{
    BR_ASSERT(w);
    return w->def.contact_count;
}

size_t br_worlds_get_state_count(const br_worlds* w, size_t contact)
{
    BR_ASSERT(w && contact < w->def.contact_count);
    return br_contact_get_state_count(w->contacts[contact].contact);
}

int br_worlds_get_lanes(const br_worlds* w)
{
    BR_ASSERT(w);
    return w->in_lanes ? w->in_lanes->lanes : 1;
}

// --- steps ------------------------------------------------------------------------------------------------

// Does a contact report its slip or load?
static int reports(const br_worlds* w, const br_worlds_arrays* a)
{
    int some = 0;
    for (size_t k = 0; k < w->def.contact_count; k++) {
        const br_worlds_contact_arrays* own = &a->contacts[k];
        some |= own->state || own->slip_rate || own->load;
    }
    return some;
}

void br_worlds_step(br_worlds* w, const br_worlds_arrays* a, double h, size_t steps)
{
    BR_ASSERT(w && a && !(h <= 0.0));
    if (steps == 0) {
        return;
    }
    if (w->in_lanes) {
        w->in_lanes->step(w, a, h, steps, w->window);
    }
    const int slip = reports(w, a);
    for (size_t i = 0; (slip || !w->in_lanes) && i < a->count; i++) {
        if (a->mask && !a->mask[i]) {
            continue;
        }
        if (!w->in_lanes) {
            bri_worlds_step_one(w, a, i, h, steps, NULL);
        }
        bri_worlds_report_slip(w, a, i, steps - 1);
    }
}
