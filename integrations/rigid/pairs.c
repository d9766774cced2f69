/*
 * Pairs of shapes: their bristles, found again by a key, and their patches from contact points.
 */
#include "internal.h"

#include <math.h>
#include <string.h>

static const double min_force = 1e-9;   // normal force below which a pair does not touch [N]
static const double min_size = 1e-3;    // size of a point in comparisons of outlines [m]
static const double min_tangent = 0.1;  // smallest part of an axis in the plane [-]
static const double max_distance = 0.1; // of outlines; beyond it a new patch is created

void brgi_pair_destroy(contact_pair* p)
{
    br_contact_destroy(p->contact);
    br_patch_destroy(p->patch);
    br_release(p->z);
    br_release(p);
}

void brgi_pair_reset(contact_pair* p)
{
    if (p->z) {
        memset(p->z, 0, br_contact_get_state_count(p->contact) * sizeof *p->z);
    }
    memset(p->last, 0, sizeof p->last);
    p->now = (brg_contact){0};
    p->touched = p->is_pressing = 0;
    p->saved = p->last_fn = 0.0;
}

const brg_body* brgi_slider(const contact_pair* p, const brg_body* bodies)
{
    return &bodies[p->slider ? p->b : p->a];
}

// The slot of a key, or the free one where it belongs.
static size_t slot(contact_pair* const* table, size_t capacity, uint64_t key)
{
    size_t i = (size_t)(key * 0x9E3779B97F4A7C15u >> 20) & (capacity - 1);
    while (table[i] && table[i]->key != key) {
        i = (i + 1) & (capacity - 1);
    }
    return i;
}

contact_pair* brgi_pair_find(const brg_world* w, uint64_t key)
{
    return w->capacity ? w->table[slot(w->table, w->capacity, key)] : NULL;
}

// Make space in the table; pairs that have come apart are removed. 0 without memory.
static int grow(brg_world* w)
{
    size_t live = 0, capacity = w->capacity ? w->capacity : 64;
    for (size_t i = 0; i < w->capacity; i++) {
        live += w->table[i] && (w->table[i]->touched || w->table[i]->stamp == w->stamp);
    }
    while (capacity < 4 * (live + 1)) {
        capacity *= 2;
    }
    contact_pair** table = br_allocate(capacity, sizeof *table);
    if (!table) {
        return 0;
    }
    w->count = 0;
    for (size_t i = 0; i < w->capacity; i++) {
        contact_pair* p = w->table[i];
        if (p && (p->touched || p->stamp == w->stamp)) {
            table[slot(table, capacity, p->key)] = p;
            w->count++;
        } else if (p) {
            brgi_pair_destroy(p);
        }
    }
    br_release(w->table);
    w->table = table;
    w->capacity = capacity;
    return 1;
}

contact_pair* brgi_pair_get(brg_world* w, uint64_t key)
{
    contact_pair* found = brgi_pair_find(w, key);
    if (found || (2 * (w->count + 1) > w->capacity && !grow(w))) {
        return found;
    }
    found = br_allocate(1, sizeof *found);
    if (found) {
        found->key = key;
        w->table[slot(w->table, w->capacity, key)] = found;
        w->count++;
    }
    return found;
}

// The first tangent turns with the slider and is projected onto the plane. At a first touch it is an axis of the world.
static void set_tangents(contact_pair* p, const brg_body* slider)
{
    const double axis[2][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    for (int i = p->touched ? -1 : 0; i < 2; i++) {
        double t[3];
        for (int k = 0; k < 3; k++) {
            t[k] = i < 0 ? dot3(slider->R + 3 * k, p->tangent) : axis[i][k];
        }
        const double normal = dot3(t, p->n);
        for (int k = 0; k < 3; k++) {
            t[k] -= normal * p->n[k];
        }
        const double length = sqrt(dot3(t, t));
        if (length > min_tangent) {
            for (int k = 0; k < 3; k++) {
                p->t[k] = t[k] / length;
            }
            break;
        }
    }
    cross3(p->n, p->t, p->s);
    for (int k = 0; k < 3; k++) {
        p->tangent[k] =
            slider->R[k] * p->t[0] + slider->R[3 + k] * p->t[1] + slider->R[6 + k] * p->t[2];
    }
}

void brgi_pair_set_frame(brg_world* w, contact_pair* p, const brg_body* bodies,
                         const double* weight)
{
    double n[3] = {0.0, 0.0, 0.0};
    for (int i = p->first; i >= 0; i = w->next[i]) {
        for (int k = 0; k < 3; k++) {
            n[k] += (weight ? weight[i] : 1.0) * w->points[i].n[k];
        }
    }
    const double length = (p->slider ? 1.0 : -1.0) * sqrt(dot3(n, n));
    for (int k = 0; k < 3 && length != 0.0; k++) {
        p->n[k] = n[k] / length;
    }
    set_tangents(p, brgi_slider(p, bodies));
}

// Create the patch: a given disc, or one from the outline.
static br_patch* create_patch(const brg_world* w, const contact_pair* p, const outline* o)
{
    if (!(p->disc > 0.0)) {
        return brgi_outline_patch(o, w->def.radius);
    }
    br_patch_def def = br_patch_def_default();
    br_patch* patch = NULL;
    def.shape = BR_SHAPE_DISC;
    def.radius = br_by_force_constant(p->disc);
    return br_patch_create(&def, &patch, NULL) == BR_OK ? patch : NULL;
}

// The law of a coefficient; with mu_s > mu_c bristles are as much stiffer.
static br_law law_of(const brg_def* def, double mu, double r, double fn)
{
    br_law law = br_law_from_mu(mu, r, 0.0, fn);
    if (def->static_ratio > 1.0) {
        const double time = law.sigma1 / law.sigma0;
        law.mu_s = def->static_ratio * mu;
        law.v_stribeck = def->v_stribeck;
        br_law_complete(&law, BR_RULE_ALL, r, time);
    }
    return law;
}

// Create a contact and transfer the bristles to it; without memory nothing changes. Between a disc and a hull there is
// no transfer: bristles start again.
static void renew_contact(brg_world* w, contact_pair* p, const outline* o)
{
    br_patch* patch = create_patch(w, p, o);
    br_contact* contact = NULL;
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.method = p->disc > 0.0 ? BR_METHOD_BLOCKS : BR_METHOD_DISTRIBUTED;
    if (patch && (!(p->contact && p->touched) || p->law_mu != p->mu)) {
        p->law = law_of(&w->def, p->mu, br_patch_eval(patch, p->now.fn).r, p->now.fn);
        p->law_mu = p->mu;
    }
    def.law = p->law;
    double* z = NULL;
    if (patch && br_contact_create(&def, &contact, NULL) == BR_OK) {
        z = br_allocate(2 * br_contact_get_state_count(contact), sizeof *z);
    }
    if (!z) {
        p->law_mu = p->contact ? -1.0 : p->law_mu; // of a law that is not in use: try again
        br_contact_destroy(contact);
        br_patch_destroy(patch);
        return;
    }
    if (p->contact && p->touched && (p->disc > 0.0) == (p->patch_disc > 0.0)) {
        br_contact_carry_saved(p->contact, p->z, contact, p->now.fn, &p->saved, z);
    }
    br_contact_destroy(p->contact);
    br_patch_destroy(p->patch);
    br_release(p->z);
    p->contact = contact;
    p->patch = patch;
    p->z = z;
    p->before = z + br_contact_get_state_count(contact);
    p->outline = *o;
    p->patch_disc = p->disc;
    w->report.changed++;
}

// Coordinates of a point from the slider's centre, along the tangents [m].
static br_vec2 in_plane(const contact_pair* p, const brg_body* slider, const double* x)
{
    const double d[3] = {x[0] - slider->x[0], x[1] - slider->x[1], x[2] - slider->x[2]};
    return (br_vec2){dot3(d, p->t), dot3(d, p->s)};
}

// Keep those of n points that are farthest in OUTLINE_MOST directions; how many there are.
static size_t thin_out(br_vec2* points, size_t n)
{
    br_vec2 far[OUTLINE_MOST];
    for (int k = 0; k < OUTLINE_MOST; k++) {
        const double angle = 2.0 * BR_PI * k / OUTLINE_MOST, c = cos(angle), s = sin(angle);
        far[k] = points[0];
        for (size_t i = 1; i < n; i++) {
            const double ahead = c * (points[i].x - far[k].x) + s * (points[i].y - far[k].y);
            far[k] = ahead > 0.0 ? points[i] : far[k];
        }
    }
    memcpy(points, far, sizeof far);
    return OUTLINE_MOST;
}

// The outline of the points that press or nearly touch, in the slider's frame, so that it does not change while that
// moves.
static outline read_outline(const brg_world* w, const contact_pair* p, const brg_body* bodies)
{
    const brg_body* slider = brgi_slider(p, bodies);
    br_vec2 points[2 * OUTLINE_MOST] = {{0.0, 0.0}};
    double force[2 * OUTLINE_MOST] = {0.0};
    size_t n = 0, all = 0;
    for (int i = p->first; i >= 0; i = w->next[i]) {
        if (w->lam[i] > 0.0 || w->points[i].gap < w->def.touch) {
            points[n] = in_plane(p, slider, w->points[i].x);
            force[n++] = fmax(w->lam[i], 0.0);
            n = n < 2 * OUTLINE_MOST ? n : thin_out(points, n);
            all++;
        }
    }
    n = n > OUTLINE_MOST ? thin_out(points, n) : n;
    outline o = brgi_outline_from_points(points, force, n);
    if (all > n) { // these are not their forces: the CoP is that of all points
        o.cop = in_plane(p, slider, p->now.cop);
    }
    return o;
}

void brgi_pair_read(brg_world* w, contact_pair* p, double h, const brg_body* bodies)
{
    double all = 0.0, cop[3] = {0.0, 0.0, 0.0};
    for (int i = p->first; i >= 0; i = w->next[i]) {
        const double lam = fmax(w->lam[i], 0.0);
        all += lam;
        for (int k = 0; k < 3; k++) {
            cop[k] += lam * w->points[i].x[k];
        }
    }
    p->is_pressing = all / h > min_force && p->mu > 0.0;
    if (!p->is_pressing) {
        return;
    }
    p->now.fn = all / h;
    for (int k = 0; k < 3; k++) {
        p->now.cop[k] = cop[k] / all;
    }
    brgi_pair_set_frame(w, p, bodies, w->lam);
    const outline o = read_outline(w, p, bodies);
    if (!p->contact || !p->touched || p->law_mu != p->mu || p->patch_disc != p->disc ||
        (!(p->disc > 0.0) && brgi_outline_distance(&o, &p->outline, min_size) > max_distance)) {
        renew_contact(w, p, &o);
    }
    p->is_pressing = p->contact != NULL;
    w->report.refused += !p->is_pressing;
    p->touched |= p->is_pressing;
}

// Sums over the points that touch, from their mean position.
typedef struct spread {
    int count;
    br_vec2 mean;
    double xx, xy, yy;
} spread;

static spread sum_points(const brg_world* w, const contact_pair* p, const brg_body* slider,
                         double touch)
{
    spread s = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = p->first; i >= 0; i = w->next[i]) {
            if (w->points[i].gap >= touch) {
                continue;
            }
            const br_vec2 x = in_plane(p, slider, w->points[i].x);
            const double dx = x.x - s.mean.x, dy = x.y - s.mean.y;
            if (pass == 0) {
                s.count++;
                s.mean.x += dx / s.count;
                s.mean.y += dy / s.count;
            } else {
                s.xx += dx * dx;
                s.xy += dx * dy;
                s.yy += dy * dy;
            }
        }
    }
    return s;
}

// lam_i = F/n + g.rho_i, with sum lam_i rho_i = F rho_cop; those below 0 become 0, and the sum F again.
void brgi_pair_spread_last(brg_world* w, const contact_pair* p, double h, const brg_body* bodies,
                           double* impulse)
{
    const brg_body* slider = brgi_slider(p, bodies);
    double touch = w->def.touch, cop[3];
    spread s = sum_points(w, p, slider, touch);
    if (s.count == 0) {
        touch = HUGE_VAL;
        s = sum_points(w, p, slider, touch);
    }
    to_world(slider, p->last_cop, cop);
    const br_vec2 c = in_plane(p, slider, cop);
    const double F = h * p->last_fn, dx = F * (c.x - s.mean.x), dy = F * (c.y - s.mean.y);
    const double trace = s.xx + s.yy,
                 tiny = 1e-9 * trace; // points on a line: the slope is along it
    const double xx = s.xx + tiny, yy = s.yy + tiny, det = xx * yy - s.xy * s.xy;
    const double gx = det > 0.0 ? (yy * dx - s.xy * dy) / det : 0.0;
    const double gy = det > 0.0 ? (xx * dy - s.xy * dx) / det : 0.0;
    double sum = 0.0;
    for (int i = p->first; i >= 0; i = w->next[i]) {
        const br_vec2 x = in_plane(p, slider, w->points[i].x);
        const double lam = F / s.count + gx * (x.x - s.mean.x) + gy * (x.y - s.mean.y);
        impulse[i] = w->points[i].gap < touch ? fmax(lam, 0.0) : 0.0;
        sum += impulse[i];
    }
    for (int i = p->first; i >= 0 && sum > 0.0; i = w->next[i]) {
        impulse[i] *= F / sum;
    }
}
