/*
 * Adapters: pairs of geoms and their data between steps.
 */
#include "adapter.h"

#include <stdio.h>
#include <string.h>

brm_pair brm_pair_default(void)
{
    return (brm_pair){.axis = {1.0, 0.0, 0.0}, .method = BR_METHOD_BLOCKS};
}

static br_status refuse(br_reason* why, size_t index, const char* member, const char* text)
{
    char field[48];
    snprintf(field, sizeof field, "pairs[%zu].%s", index, member);
    br_reason_set(why, field, "%s", text);
    return BR_ERR_DEF;
}

static br_status check_pair(const brm_pair* p, size_t index, br_reason* why)
{
    if (!(p->mu >= 0.0)) {
        return refuse(why, index, "mu", "must be >= 0; 0 takes the model's own");
    }
    if (!(p->radius >= 0.0)) {
        return refuse(why, index, "radius", "must be >= 0; 0 is a point");
    }
    if (!(mju_norm3(p->axis) > 0.0)) {
        return refuse(why, index, "axis", "must be a direction, got 0, 0, 0");
    }
    return BR_OK;
}

static void set_link(link* l, const mjModel* m, const brm_pair* pair, const int geom[2])
{
    l->pair = *pair;
    if (pair->law) {
        l->law = *pair->law;
    }
    for (int i = 0; i < 2; i++) {
        l->geom[i] = geom[i];
        l->body[i] = m->geom_bodyid[geom[i]];
    }
}

// Coefficients of an explicit pair of the model; 0: it has none for these geoms.
static int find_coefficients(const mjModel* m, const int geom[2], double friction[2])
{
    for (int i = 0; i < m->npair; i++) {
        const int a = m->pair_geom1[i], b = m->pair_geom2[i];
        if ((a == geom[0] && b == geom[1]) || (a == geom[1] && b == geom[0])) {
            mju_copy(friction, m->pair_friction + 5 * i, 2);
            return 1;
        }
    }
    return 0;
}

// A fixed patch may not support two coefficients: create a contact to find out.
static br_status check_patch(const mjModel* m, const link* l, size_t index, br_reason* why)
{
    double friction[2];
    if (!l->pair.patch || !find_coefficients(m, l->geom, friction)) {
        return BR_OK;
    }
    br_contact_def def = br_contact_def_default();
    const coefficients c = brmi_coefficients(&l->pair, friction);
    br_contact* trial = NULL;
    br_reason reason = {"", ""};
    def.patch = l->pair.patch;
    def.method = l->pair.method;
    def.resolution = l->pair.resolution;
    def.law = br_law_from_mu(1.0, 0.0, 0.0, 0.0);
    def.anisotropy = c.anisotropy;
    if (c.anisotropy.ratio == 1.0) {
        return BR_OK;
    }
    const br_status status = br_contact_create(&def, &trial, &reason);
    br_contact_destroy(trial);
    if (status == BR_ERR_MEMORY || status == BR_OK) {
        return status;
    }
    char text[256];
    snprintf(text, sizeof text,
             "does not support the pair's two coefficients %g and %g: %.150s; or set mu",
             friction[0], friction[1], reason.text);
    return refuse(why, index, "patch", text);
}

// Read a pair that the caller named.
static br_status read_named(link* l, const mjModel* m, const brm_pair* pair, size_t index,
                            br_reason* why)
{
    const char* const names[2] = {pair->geom1, pair->geom2};
    int geom[2];
    for (int i = 0; i < 2; i++) {
        const char* field = i == 0 ? "geom1" : "geom2";
        if (!names[i]) {
            return refuse(why, index, field, "is missing: the name of a geom");
        }
        geom[i] = mj_name2id(m, mjOBJ_GEOM, names[i]);
        if (geom[i] < 0) {
            char text[128];
            snprintf(text, sizeof text, "the model has no geom \"%.80s\"", names[i]);
            return refuse(why, index, field, text);
        }
    }
    const br_status status = check_pair(pair, index, why);
    if (status != BR_OK) {
        return status;
    }
    set_link(l, m, pair, geom);
    return check_patch(m, l, index, why);
}

// Whether a tuple of the model defines a pair.
static int is_pair(const mjModel* m, int tuple)
{
    const char* name = m->names + m->name_tupleadr[tuple];
    const int at = m->tuple_adr[tuple];
    return strncmp(name, "bristle", 7) == 0 && m->tuple_size[tuple] == 2 &&
           m->tuple_objtype[at] == mjOBJ_GEOM && m->tuple_objtype[at + 1] == mjOBJ_GEOM;
}

static br_status read_tuples(brm_adapter* a, const mjModel* m, br_reason* why)
{
    br_status status = BR_OK;
    size_t index = 0;
    for (int i = 0; status == BR_OK && i < m->ntuple; i++) {
        if (is_pair(m, i)) {
            const int at = m->tuple_adr[i];
            brm_pair pair = brm_pair_default();
            pair.mu = m->tuple_objprm[at];
            pair.radius = m->tuple_objprm[at + 1];
            status = check_pair(&pair, index, why);
            set_link(&a->links[index++], m, &pair, m->tuple_objid + at);
        }
    }
    return status;
}

static size_t count_tuples(const mjModel* m)
{
    size_t count = 0;
    for (int i = 0; i < m->ntuple; i++) {
        count += (size_t)is_pair(m, i);
    }
    return count;
}

// Allocate at least one item, so that NULL means out of memory.
static void* zeroed(size_t count, size_t bytes)
{
    return br_allocate(count + 1, bytes);
}

static int allocate(brm_adapter* a, const mjModel* m)
{
    const size_t nv = (size_t)m->nv;
    a->nv = m->nv;
    for (int i = 0; i < m->nv; i++) {
        a->is_damped |= m->dof_damping[i] > 0.0;
    }
    a->links = zeroed(a->count, sizeof *a->links);
    a->pressing = zeroed(a->count, sizeof *a->pressing);
    a->friction = zeroed(nv, sizeof(mjtNum));
    a->applied = zeroed(nv, sizeof(mjtNum));
    a->free = zeroed(nv, sizeof(mjtNum));
    a->next = zeroed(nv, sizeof(mjtNum));
    a->row = zeroed(nv, sizeof(mjtNum));
    a->body = zeroed(6 * nv, sizeof(mjtNum));
    a->hessian = zeroed(nv * nv, sizeof(mjtNum));
    a->euler = zeroed(nv * nv, sizeof(mjtNum));
    return a->links && a->pressing && a->friction && a->applied && a->free && a->next && a->row &&
           a->body && a->hessian && a->euler && brmi_reserve(a, a->count < 4 ? a->count : 4);
}

static void release_contacts(brm_adapter* a)
{
    void* const all[] = {a->J,       a->Y,        a->X, a->inverse_mass, a->fn_f,
                         a->fn_free, a->contacts, a->u, a->u1,           a->f};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        br_release(all[i]);
    }
}

int brmi_reserve(brm_adapter* a, size_t n)
{
    if (a->J && n <= a->capacity) {
        return 1;
    }
    const size_t rows = (3 * n + 1) * (size_t)a->nv;
    release_contacts(a);
    a->capacity = n;
    a->J = zeroed(rows, sizeof(mjtNum));
    a->Y = zeroed(rows, sizeof(mjtNum));
    a->X = zeroed(rows, sizeof(mjtNum));
    a->inverse_mass = zeroed(9 * n * n, sizeof(double));
    a->fn_f = zeroed(3 * n * n, sizeof(double));
    a->fn_free = zeroed(n, sizeof(double));
    a->contacts = zeroed(n, sizeof *a->contacts);
    a->u = zeroed(n, sizeof *a->u);
    a->u1 = zeroed(n, sizeof *a->u1);
    a->f = zeroed(n, sizeof *a->f);
    return a->J && a->Y && a->X && a->inverse_mass && a->fn_f && a->fn_free && a->contacts &&
           a->u && a->u1 && a->f;
}

int brmi_reserve_scene(brm_adapter* a, const mjData* d)
{
    const size_t contacts = (size_t)d->ncon, rows = (size_t)d->nefc;
    if (contacts > a->owner_capacity) {
        br_release(a->owner);
        a->owner = zeroed(contacts, sizeof *a->owner);
        a->owner_capacity = a->owner ? contacts : 0;
    }
    if (rows > a->row_capacity) {
        br_release(a->constraints);
        a->constraints = zeroed(rows, sizeof *a->constraints);
        a->row_capacity = a->constraints ? rows : 0;
    }
    return contacts <= a->owner_capacity && rows <= a->row_capacity;
}

br_status brm_create(const mjModel* m, const brm_pair* pairs, size_t count, brm_adapter** out,
                     br_reason* why)
{
    *out = NULL;
    if (m->opt.integrator != mjINT_EULER) {
        br_reason_set(why, "option.integrator", "must be Euler: friction is found for its step");
        return BR_ERR_DEF;
    }
    brm_adapter* a = zeroed(1, sizeof *a);
    if (!a) {
        return BR_ERR_MEMORY;
    }
    a->count = pairs ? count : count_tuples(m);
    br_status status = allocate(a, m) ? BR_OK : BR_ERR_MEMORY;
    if (status == BR_OK && !pairs) {
        status = read_tuples(a, m, why);
    }
    for (size_t i = 0; pairs && status == BR_OK && i < count; i++) {
        status = read_named(&a->links[i], m, &pairs[i], i, why);
    }
    if (status != BR_OK) {
        brm_destroy(a);
        return status;
    }
    *out = a;
    return BR_OK;
}

void brm_destroy(brm_adapter* a)
{
    if (!a) {
        return;
    }
    for (size_t i = 0; a->links && i < a->count; i++) {
        link* l = &a->links[i];
        br_contact_destroy(l->contact);
        br_patch_destroy(l->patch);
        br_release(l->z);
        br_release(l->at_force_memory);
    }
    release_contacts(a);
    void* const all[] = {
        a->links, a->pressing, a->owner,   a->friction, a->applied, a->free,        a->next,
        a->row,   a->body,     a->hessian, a->euler,    a->work,    a->constraints, a};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        br_release(all[i]);
    }
}

void brm_reset(brm_adapter* a)
{
    for (size_t i = 0; i < a->count; i++) {
        brmi_reset_bristles(&a->links[i]);
        a->links[i].now = (brm_contact){0};
    }
    mju_zero(a->friction, a->nv);
}

size_t brm_get_count(const brm_adapter* a)
{
    return a->count;
}

brm_contact brm_get_contact(const brm_adapter* a, size_t index)
{
    return a->links[index].now;
}

brm_report brm_get_report(const brm_adapter* a)
{
    return a->report;
}
