/*
 * The layer: points by pair, islands, and the solve of each.
 */
#include "internal.h"

#include <math.h>
#include <string.h>

static const double max_mu =
    1e6; // of a pair: engines take huge or infinite coefficients for "does not slide"

brg_def brg_def_default(void)
{
    return (brg_def){.size = sizeof(brg_def),
                     .touch = 2e-4,
                     .slop = 1e-5,
                     .softness = 1e-5,
                     .correction = 0.2,
                     .rounds = 8,
                     .keep = 4,
                     .largest = 120,
                     .static_ratio = 1.0,
                     .v_stribeck = 1e-3};
}

static br_status refuse(br_reason* why, const char* field, const char* text)
{
    br_reason_set(why, field, "%s", text);
    return BR_ERR_DEF;
}

static br_status check_def(const brg_def* d, br_reason* why)
{
    if (!(d->touch >= 0.0 && isfinite(d->touch))) {
        return refuse(why, "touch", "must be >= 0 and finite");
    }
    if (!(d->radius >= 0.0 && isfinite(d->radius))) {
        return refuse(why, "radius", "must be >= 0 and finite; 0 is a point");
    }
    if (!(d->slop >= 0.0 && isfinite(d->slop))) {
        return refuse(why, "slop", "must be >= 0 and finite");
    }
    if (!(d->softness > 0.0 && isfinite(d->softness))) {
        return refuse(why, "softness", "must be > 0 and finite");
    }
    if (!(d->correction >= 0.0 && d->correction <= 1.0)) {
        return refuse(why, "correction", "must be in [0, 1]");
    }
    if (d->rounds < 1) {
        return refuse(why, "rounds", "must be >= 1");
    }
    if (d->keep < 0) {
        return refuse(why, "keep", "must be >= 0");
    }
    if (!(d->static_ratio >= 1.0 && isfinite(d->static_ratio))) {
        return refuse(why, "static_ratio", "must be >= 1 and finite");
    }
    if (!(d->v_stribeck > 0.0 && isfinite(d->v_stribeck))) {
        return refuse(why, "v_stribeck", "must be > 0 and finite");
    }
    return d->largest < 1 ? refuse(why, "largest", "must be >= 1") : BR_OK;
}

br_status brg_create(const brg_def* def, brg_world** out, br_reason* why)
{
    *out = NULL;
    brg_def copy = brg_def_default();
    if (def) {
        const br_status status = br_definition_read(def, &copy, sizeof copy, "brg_def", why);
        if (status != BR_OK) {
            return status;
        }
    }
    const br_status status = check_def(&copy, why);
    if (status != BR_OK) {
        return status;
    }
    brg_world* w = br_allocate(1, sizeof *w);
    if (!w) {
        return BR_ERR_MEMORY;
    }
    w->def = copy;
    *out = w;
    return BR_OK;
}

void brg_reset(brg_world* w)
{
    for (size_t i = 0; i < w->capacity; i++) {
        if (w->table[i]) {
            brgi_pair_destroy(w->table[i]);
            w->table[i] = NULL;
        }
    }
    w->count = w->live_count = 0;
    w->applied = 0;
}

void brg_destroy(brg_world* w)
{
    if (!w) {
        return;
    }
    brg_reset(w);
    void* const all[] = {w->table,  w->live,        w->velocity,  w->parent,     w->local,
                         w->island, w->member,      w->points,    w->next,       w->lam,
                         w->owner,  w->row_impulse, w->row_order, w->pair_order, w->arena,
                         w->work,   w->moves,       w->target,    w->order,      w};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        br_release(all[i]);
    }
}

brg_report brg_get_report(const brg_world* w)
{
    return w->report;
}

int brg_get_contact(const brg_world* w, uint64_t pair, brg_contact* out)
{
    const contact_pair* p = brgi_pair_find(w, pair);
    *out = p && p->touched ? p->now : (brg_contact){0};
    return p && p->touched;
}

int brgi_reserve(void* array, size_t* capacity, size_t count, size_t bytes)
{
    void** const at = array;
    if (count > *capacity) {
        br_release(*at);
        *at = br_allocate(2 * count, bytes);
        *capacity = *at ? 2 * count : 0;
    }
    return *at != NULL || count == 0;
}

// Reserve several arrays of one capacity.
static int reserve_all(size_t* capacity, size_t count, void* const* arrays, const size_t* bytes,
                       int n)
{
    size_t grown = *capacity;
    int ok = 1;
    for (int i = 0; i < n; i++) {
        grown = *capacity;
        ok &= brgi_reserve(arrays[i], &grown, count, bytes[i]);
    }
    *capacity = ok ? grown : 0;
    return ok;
}

static int reserve_bodies(brg_world* w, size_t count)
{
    void* const arrays[] = {&w->velocity, &w->parent, &w->local, &w->island, &w->member, &w->moves};
    const size_t bytes[] = {6 * sizeof(double), sizeof(int), sizeof(int),
                            sizeof(int),        sizeof(int), sizeof(int)};
    return reserve_all(&w->body_capacity, count + 1, arrays, bytes, 6);
}

static int reserve_points(brg_world* w, size_t points, size_t rows)
{
    void* const arrays[] = {&w->points, &w->next, &w->lam, &w->owner, &w->target, &w->order};
    const size_t bytes[] = {sizeof(brg_point), sizeof(int),    sizeof(double),
                            sizeof(int),       sizeof(double), sizeof(int)};
    void* const more[] = {&w->row_impulse, &w->row_order};
    const size_t more_bytes[] = {sizeof(double), sizeof(int)};
    void* const pairs[] = {&w->live, &w->pair_order};
    const size_t pair_bytes[] = {sizeof(contact_pair*), sizeof(contact_pair*)};
    return reserve_all(&w->point_capacity, (1 + KEPT_MOST) * points + 1, arrays, bytes, 6) &&
           reserve_all(&w->row_capacity, rows + 1, more, more_bytes, 2) &&
           reserve_all(&w->live_capacity, points + 1, pairs, pair_bytes, 2);
}

br_status brg_before(brg_world* w, double h, size_t count, double* impulse)
{
    if (count > 0) { // else `impulse` may be NULL
        memset(impulse, 0, 6 * count * sizeof *impulse);
    }
    w->applied = 0;
    if (!(h > 0.0 && isfinite(h))) {
        return BR_ERR_ARG;
    }
    if (w->failed) { // nobody knows what friction would have been since
        return BR_OK;
    }
    for (size_t i = 0; i < w->capacity; i++) {
        const contact_pair* p = w->table[i];
        for (int e = 0; p && p->touched && e < 2; e++) {
            const int body = e ? p->b : p->a;
            for (int k = 0; body >= 0 && (size_t)body < count && k < 6; k++) {
                impulse[6 * body + k] += h * p->last[e][k];
            }
        }
    }
    w->applied = count;
    w->applied_h = h;
    return BR_OK;
}

static int is_finite(const double* x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += 0.0 * x[i]; // NaN for NaN and infinity
    }
    return sum == 0.0;
}

static int is_body(int index, size_t count)
{
    return index >= -1 && (index < 0 || (size_t)index < count);
}

// Two bodies, or a body and the world, or both times the world.
static int are_bodies(int a, int b, size_t count)
{
    return is_body(a, count) && is_body(b, count) && (a != b || a < 0);
}

static int is_valid_body(const brg_body* b)
{
    const double *m = b->inv_mass, *I = b->inv_inertia;
    return is_finite(m, 30) && m[0] >= 0.0 && m[1] >= 0.0 && m[2] >= 0.0 && I[0] >= 0.0 &&
           I[4] >= 0.0 && I[8] >= 0.0;
}

static int is_valid_point(const brg_point* p, size_t count)
{
    return is_finite(p->x, 8) && fabs(dot3(p->n, p->n) - 1.0) <= 0.02 && p->impulse >= 0.0 &&
           p->mu >= 0.0 && p->disc >= 0.0 && isfinite(p->disc) && are_bodies(p->a, p->b, count);
}

static int is_valid_row(const brg_row* r, size_t count)
{
    return is_finite(r->ja, 13) && r->lower <= r->upper && r->lower < HUGE_VAL &&
           r->upper > -HUGE_VAL && !isinf(r->target) && r->softness >= 0.0 &&
           isfinite(r->softness) && are_bodies(r->a, r->b, count);
}

static int is_valid(double h, const brg_body* bodies, size_t count, const brg_point* points,
                    size_t point_count, const brg_row* rows, size_t row_count)
{
    int ok = h > 0.0 && isfinite(h);
    for (size_t i = 0; ok && i < count; i++) {
        ok = is_valid_body(&bodies[i]);
    }
    for (size_t i = 0; ok && i < point_count; i++) {
        ok = is_valid_point(&points[i], count);
    }
    for (size_t i = 0; ok && i < row_count; i++) {
        ok = is_valid_row(&rows[i], count);
    }
    return ok;
}

static int root(int* parent, int i)
{
    while (parent[i] != i) {
        i = parent[i] = parent[parent[i]];
    }
    return i;
}

static int moves(const brg_world* w, int body)
{
    return body >= 0 && w->moves[body];
}

static void join(brg_world* w, int a, int b)
{
    if (moves(w, a) && moves(w, b)) {
        w->parent[root(w->parent, a)] = root(w->parent, b);
    }
}

// Reset a pair, and remove its last friction from the velocities of bodies that have it.
static void end_pair(brg_world* w, const brg_body* bodies, size_t count, contact_pair* p)
{
    const int body[2] = {p->a, p->b};
    for (int e = 0; e < 2; e++) {
        const int has = body[e] >= 0 && (size_t)body[e] < count && (size_t)body[e] < w->applied;
        const int one[2] = {e ? -1 : body[e], e ? body[e] : -1};
        row r;
        if (has) {
            brgi_row_set(&r, bodies, w->local, one, p->last[0]);
            row_push(&r, -w->applied_h, w->velocity);
        }
    }
    p->kept_count = 0;
    brgi_pair_reset(p);
}

// The pair of a point, with its data of this step; NULL without memory.
static contact_pair* open_pair(brg_world* w, const brg_body* bodies, size_t count,
                               const brg_point* p)
{
    contact_pair* pair = brgi_pair_get(w, p->pair);
    if (pair && pair->stamp != w->stamp) {
        const int swapped = pair->a == p->b && pair->b == p->a;
        const int a = swapped ? p->b : p->a, b = swapped ? p->a : p->b;
        const int slider = moves(w, b); // its frame and bristles are of no use to another one
        if (pair->a != a || pair->b != b || pair->slider != slider) {
            end_pair(w, bodies, count, pair);
        }
        if (!pair->touched && pair->stamp + 1 != w->stamp) {
            pair->kept_count = 0; // it was away
        }
        pair->stamp = w->stamp;
        pair->first = -1;
        pair->a = a;
        pair->b = b;
        pair->mu = fmin(p->mu, max_mu);
        pair->disc = p->disc;
        pair->slider = slider;
        w->live[w->live_count++] = pair;
    }
    return pair;
}

// Store a point in the order of its pair; 0 if it has other bodies.
static int store_point(brg_world* w, contact_pair* pair, const brg_point* from, int index)
{
    brg_point* p = &w->points[index];
    *p = *from;
    if (from->a == pair->b && from->b == pair->a) {
        p->a = pair->a;
        p->b = pair->b;
        for (int k = 0; k < 3; k++) {
            p->n[k] = -from->n[k];
        }
    }
    w->lam[index] = p->impulse;
    w->next[index] = pair->first;
    pair->first = index;
    return p->a == pair->a && p->b == pair->b;
}

// Points by pair; a point of two bodies that cannot move is left out.
static br_status collect_points(brg_world* w, const brg_body* bodies, size_t count,
                                const brg_point* points, size_t point_count)
{
    w->live_count = 0;
    size_t n = 0;
    for (size_t i = 0; i < point_count; i++) {
        if (!moves(w, points[i].a) && !moves(w, points[i].b)) {
            continue;
        }
        contact_pair* pair = open_pair(w, bodies, count, &points[i]);
        if (!pair || !store_point(w, pair, &points[i], (int)n++)) {
            return pair ? BR_ERR_ARG : BR_ERR_MEMORY;
        }
        join(w, points[i].a, points[i].b);
    }
    for (size_t k = 0; k < w->live_count; k++) {
        n = brgi_keep_points(w, w->live[k], bodies, n);
    }
    return BR_OK;
}

// References of normal impulses: those of the last step where there was one, else the engine's.
static void set_references(brg_world* w, double h, const brg_body* bodies)
{
    for (size_t k = 0; k < w->live_count; k++) {
        contact_pair* p = w->live[k];
        for (int i = p->first; i >= 0; i = w->next[i]) {
            w->lam[i] = w->points[i].impulse;
        }
        if (p->touched && p->last_fn > 0.0) {
            brgi_pair_set_frame(w, p, bodies, NULL);
            brgi_pair_spread_last(w, p, h, bodies, w->lam);
        }
    }
}

static int sleeps(const brg_world* w, const brg_body* bodies, int body)
{
    return !moves(w, body) || bodies[body].asleep;
}

// Pairs that have come apart: remove their last friction from the velocities, reset their bristles. Engines that do not
// report points of sleeping bodies keep those.
static void close_pairs(brg_world* w, const brg_body* bodies, size_t count)
{
    for (size_t i = 0; i < w->capacity; i++) {
        contact_pair* p = w->table[i];
        if (!p || !p->touched || p->stamp == w->stamp) {
            continue;
        }
        const int exist = is_body(p->a, count) && is_body(p->b, count);
        if (!exist || !sleeps(w, bodies, p->a) || !sleeps(w, bodies, p->b)) {
            end_pair(w, bodies, count, p);
        }
    }
}

// Memory of a part. With `at` NULL only the size is computed.
static void* take(char* at, size_t* used, size_t count, size_t bytes)
{
    void* here = at ? at + *used : NULL;
    *used += (count * bytes + 63) / 64 * 64;
    return here;
}

static size_t lay_out(part* p, char* at)
{
    size_t used = 0;
    normals* s = &p->normals;
    const size_t rows = (size_t)s->count, pairs = (size_t)p->pair_count, m = 3 * pairs,
                 v = 6 * (size_t)p->body_count, real = sizeof(double);
    s->rows = take(at, &used, rows, sizeof(row));
    s->mass = take(at, &used, rows * rows, real);
    s->factor = take(at, &used, rows * rows, real);
    double** const vectors[] = {&s->target, &s->lower, &s->upper, &s->soft, &s->ref, &s->lam};
    for (int i = 0; i < 6; i++) {
        *vectors[i] = take(at, &used, rows, real);
    }
    s->rhs = take(at, &used, 2 * rows, real);
    s->state = take(at, &used, rows, sizeof(int));
    s->list = take(at, &used, rows, sizeof(int));
    p->before = take(at, &used, rows, sizeof(int));
    p->J = take(at, &used, m, sizeof(row));
    p->C = take(at, &used, rows * m, real);
    p->A = take(at, &used, m * m, real);
    double** const velocities[] = {&p->engine, &p->bare, &p->free, &p->next};
    for (int i = 0; i < 4; i++) {
        *velocities[i] = take(at, &used, v, real);
    }
    p->fn = take(at, &used, pairs, real);
    p->contacts = take(at, &used, pairs, sizeof *p->contacts);
    p->u = take(at, &used, pairs, sizeof *p->u);
    p->u1 = take(at, &used, pairs, sizeof *p->u1);
    p->f = take(at, &used, pairs, sizeof *p->f);
    p->id = take(at, &used, (size_t)p->body_count, sizeof(int));
    p->point = take(at, &used, (size_t)p->point_count, sizeof(int));
    p->extra_index = take(at, &used, (size_t)p->extra_count, sizeof(int));
    return used;
}

// An island's lists, in the arrays of the world.
typedef struct island {
    const int* bodies;
    contact_pair** pairs;
    const int* rows;
    int body_count, pair_count, row_count;
} island;

// Solve some of an island's pairs, with all bodies and rows that belong to them.
static br_status solve_part(brg_world* w, double h, const brg_body* bodies, const brg_row* rows,
                            const island* all, contact_pair** pairs, int pair_count)
{
    part p = {.world = w, .h = h, .bodies = bodies, .extra = rows, .pairs = pairs};
    p.pair_count = pair_count;
    p.body_count = all->body_count;
    p.extra_count = all->row_count;
    for (int k = 0; k < pair_count; k++) {
        for (int i = pairs[k]->first; i >= 0; i = w->next[i]) {
            p.point_count++;
        }
    }
    p.normals.count = p.point_count + p.extra_count;
    const size_t size = lay_out(&p, NULL);
    if (!brgi_reserve(&w->arena, &w->arena_size, size, 1)) {
        return BR_ERR_MEMORY;
    }
    lay_out(&p, w->arena);
    for (int i = 0; i < p.body_count; i++) {
        p.id[i] = all->bodies[i];
        w->local[p.id[i]] = i;
    }
    for (int k = 0, n = 0; k < pair_count; k++) {
        for (int i = pairs[k]->first; i >= 0; i = w->next[i]) {
            p.point[n++] = i;
        }
    }
    for (int i = 0; i < p.extra_count; i++) {
        p.extra_index[i] = all->rows[i];
    }
    const br_status status = brgi_part_solve(&p);
    for (int i = 0; i < p.body_count; i++) {
        w->local[p.id[i]] = -1;
    }
    return status;
}

// A sweep of projected Gauss-Seidel over the normal rows of an island; the largest change over the largest impulse.
static double sweep_once(brg_world* w, const row* rows, int count, int backwards)
{
    double change = 0.0, largest = 0.0;
    for (int k = 0; k < count; k++) {
        const int at = backwards ? count - 1 - k : k, i = w->order[at];
        const double off = w->target[i] - row_velocity(&rows[at], w->velocity);
        const double mass = row_mass(&rows[at], &rows[at]); // 0: both bodies are locked along n
        const double lam = fmax(w->lam[i] + (mass > 0.0 ? off / mass : 0.0), 0.0);
        row_push(&rows[at], lam - w->lam[i], w->velocity);
        change = fmax(change, fabs(lam - w->lam[i]));
        largest = fmax(largest, lam);
        w->lam[i] = lam;
    }
    return largest > 0.0 ? change / largest : 0.0;
}

// Normal impulses of a large island, for its parts, which see those of each other: from the last step's, on the
// velocities, in both directions in turn. Weight passes one layer of a pile in each sweep, so that piles that are not
// swept to their end fall through their lower part; after the first step a few sweeps do.
static void sweep_island(brg_world* w, double h, const brg_body* bodies, const island* all,
                         row* rows)
{
    enum { SWEEPS = 1000 };
    const double tolerance = 1e-11; // what is left adds up in the steps that follow
    int count = 0;
    for (int i = 0; i < all->body_count; i++) {
        w->local[all->bodies[i]] = all->bodies[i];
    }
    for (int k = 0; k < all->pair_count; k++) {
        for (int i = all->pairs[k]->first; i >= 0; i = w->next[i]) {
            brg_point* q = &w->points[i];
            const int body[2] = {q->a, q->b};
            row* r = &rows[count];
            brgi_row_at(r, bodies, w->local, body, q->x, q->n, 1.0, h);
            w->target[i] = brgi_target(w, h, q, row_velocity(r, w->velocity));
            w->order[count++] = i;
        }
    }
    for (int k = 0; k < count; k++) { // after all targets: they have the engine's velocity
        const int i = w->order[k];
        row_push(&rows[k], w->lam[i] - w->points[i].impulse, w->velocity);
    }
    for (int pass = 0; pass < SWEEPS && sweep_once(w, rows, count, pass % 2) > tolerance; pass++) {
    }
    for (int k = 0; k < count; k++) {
        w->points[w->order[k]].impulse = w->lam[w->order[k]];
    }
    for (int i = 0; i < all->body_count; i++) {
        w->local[all->bodies[i]] = -1;
    }
}

static br_status prepare_parts(brg_world* w, double h, const brg_body* bodies, const island* all)
{
    size_t count = 0;
    for (int k = 0; k < all->pair_count; k++) {
        for (int i = all->pairs[k]->first; i >= 0; i = w->next[i]) {
            count++;
        }
    }
    if (!brgi_reserve(&w->arena, &w->arena_size, count * sizeof(row), 1)) {
        return BR_ERR_MEMORY;
    }
    sweep_island(w, h, bodies, all, (row*)(void*)w->arena);
    return BR_OK;
}

static br_status solve_island(brg_world* w, double h, const brg_body* bodies, const brg_row* rows,
                              const island* all)
{
    int awake = 0;
    for (int i = 0; i < all->body_count; i++) {
        awake |= !bodies[all->bodies[i]].asleep;
    }
    if (!awake || all->pair_count == 0) {
        return BR_OK;
    }
    const int parts = (all->pair_count - 1) / w->def.largest + 1;
    w->report.islands++;
    w->report.parts += parts > 1 ? parts : 0;
    w->report.largest = all->pair_count > w->report.largest ? all->pair_count : w->report.largest;
    br_status status = parts > 1 ? prepare_parts(w, h, bodies, all) : BR_OK;
    for (int k = 0; k < parts && status == BR_OK; k++) {
        const int from = (int)((long long)all->pair_count * k / parts),
                  to = (int)((long long)all->pair_count * (k + 1) / parts);
        status = solve_part(w, h, bodies, rows, all, all->pairs + from, to - from);
    }
    return status;
}

// The island that a pair or row belongs to, or -1.
static int island_of(const brg_world* w, int a, int b)
{
    return moves(w, b) ? w->island[b] : moves(w, a) ? w->island[a] : -1;
}

// Number the islands of the bodies; how many there are.
static int number_islands(brg_world* w, int count)
{
    int islands = 0;
    for (int i = 0; i < count; i++) {
        w->local[i] = w->island[i] = -1;
        if (moves(w, i) && w->parent[i] == i) {
            w->island[i] = islands++;
        }
    }
    for (int i = 0; i < count; i++) {
        if (moves(w, i)) {
            w->island[i] = w->island[root(w->parent, i)];
        }
    }
    return islands;
}

// Starts of the islands' lists from their lengths.
static void sum_up(int* start, int islands)
{
    int sum = 0;
    for (int k = 0; k < islands; k++) {
        const int count = start[k];
        start[k] = sum;
        sum += count;
    }
}

// Bodies, pairs and rows by island. The roots of the bodies are no longer needed: their array holds the starts.
static int sort_bodies(brg_world* w, int count, int islands)
{
    int *start = w->parent, sorted = 0;
    memset(start, 0, (size_t)islands * sizeof *start);
    for (int i = 0; i < count; i++) {
        if (w->island[i] >= 0) {
            start[w->island[i]]++;
        }
    }
    sum_up(start, islands);
    for (int i = 0; i < count; i++) {
        if (w->island[i] >= 0) {
            w->member[start[w->island[i]]++] = i;
            sorted++;
        }
    }
    return sorted;
}

static void sort_pairs(brg_world* w, int islands)
{
    int* start = w->parent;
    memset(start, 0, (size_t)islands * sizeof *start);
    for (size_t k = 0; k < w->live_count; k++) {
        start[island_of(w, w->live[k]->a, w->live[k]->b)]++;
    }
    sum_up(start, islands);
    for (size_t k = 0; k < w->live_count; k++) {
        contact_pair* p = w->live[k];
        w->pair_order[start[island_of(w, p->a, p->b)]++] = p;
    }
}

static int sort_rows(brg_world* w, const brg_row* rows, size_t count, int islands)
{
    int *start = w->parent, sorted = 0;
    memset(start, 0, (size_t)islands * sizeof *start);
    for (size_t i = 0; i < count; i++) {
        const int k = island_of(w, rows[i].a, rows[i].b);
        w->row_impulse[i] = rows[i].impulse;
        if (k >= 0) {
            start[k]++;
            sorted++;
        }
    }
    sum_up(start, islands);
    for (size_t i = 0; i < count; i++) {
        const int k = island_of(w, rows[i].a, rows[i].b);
        if (k >= 0) {
            w->row_order[start[k]++] = (int)i;
        }
    }
    return sorted;
}

static br_status solve_islands(brg_world* w, double h, const brg_body* bodies, size_t count,
                               const brg_row* rows, size_t row_count)
{
    const int islands = number_islands(w, (int)count);
    const int members = sort_bodies(w, (int)count, islands), live = (int)w->live_count;
    sort_pairs(w, islands);
    const int sorted = sort_rows(w, rows, row_count, islands);
    island is = {w->member, w->pair_order, w->row_order, 0, 0, 0};
    br_status status = BR_OK;
    for (int k = 0, b = 0, p = 0, r = 0; k < islands && status == BR_OK; k++) {
        is.bodies = w->member + b;
        is.pairs = w->pair_order + p;
        is.rows = w->row_order + r;
        while (b < members && w->island[w->member[b]] == k) {
            b++;
        }
        while (p < live && island_of(w, w->pair_order[p]->a, w->pair_order[p]->b) == k) {
            p++;
        }
        while (r < sorted && island_of(w, rows[w->row_order[r]].a, rows[w->row_order[r]].b) == k) {
            r++;
        }
        is.body_count = b - (int)(is.bodies - w->member);
        is.pair_count = p - (int)(is.pairs - w->pair_order);
        is.row_count = r - (int)(is.rows - w->row_order);
        status = solve_island(w, h, bodies, rows, &is);
    }
    return status;
}

// Start of a step: the engine's velocities, each body an island.
static void start_step(brg_world* w, const brg_body* bodies, size_t count)
{
    w->report = (brg_report){0};
    w->stamp++;
    for (size_t i = 0; i < count; i++) {
        w->parent[i] = (int)i;
        w->moves[i] = !brgi_is_fixed(&bodies[i]);
        w->local[i] = w->moves[i] && !bodies[i].asleep ? (int)i : -1;
        memcpy(w->velocity + 6 * i, bodies[i].v, 3 * sizeof(double));
        memcpy(w->velocity + 6 * i + 3, bodies[i].w, 3 * sizeof(double));
    }
}

static br_status solve_step(brg_world* w, double h, const brg_body* bodies, size_t count,
                            const brg_point* points, size_t point_count, const brg_row* rows,
                            size_t row_count)
{
    start_step(w, bodies, count);
    const br_status status = collect_points(w, bodies, count, points, point_count);
    if (status != BR_OK) {
        return status;
    }
    for (size_t i = 0; i < row_count; i++) {
        join(w, rows[i].a, rows[i].b);
    }
    close_pairs(w, bodies, count);
    set_references(w, h, bodies);
    return solve_islands(w, h, bodies, count, rows, row_count);
}

// The changes of velocity; false where numbers were so large that one is not finite.
static bool put_changes(const brg_world* w, const brg_body* bodies, size_t count,
                        brg_change* change)
{
    bool finite = isfinite(w->report.stored) && isfinite(w->report.dissipated);
    for (size_t i = 0; i < count; i++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++) {
            change[i].dv[k] = w->velocity[6 * i + k] - bodies[i].v[k];
            change[i].dw[k] = w->velocity[6 * i + 3 + k] - bodies[i].w[k];
            sum += 0.0 * change[i].dv[k] + 0.0 * change[i].dw[k];
        }
        finite = finite && sum == 0.0;
    }
    return finite;
}

br_status brg_after(brg_world* w, double h, const brg_body* bodies, size_t count,
                    const brg_point* points, size_t point_count, const brg_row* rows,
                    size_t row_count, brg_change* change)
{
    if (count > 0) {
        memset(change, 0, count * sizeof *change);
    }
    br_status status = BR_OK;
    if (!is_valid(h, bodies, count, points, point_count, rows, row_count)) {
        status = BR_ERR_ARG;
    } else if (!reserve_bodies(w, count) || !reserve_points(w, point_count, row_count)) {
        status = BR_ERR_MEMORY;
    } else {
        status = solve_step(w, h, bodies, count, points, point_count, rows, row_count);
    }
    if (status == BR_OK && !put_changes(w, bodies, count, change)) {
        memset(change, 0, count * sizeof *change);
        brg_reset(w); // bristles that are not finite would stay so
        status = BR_ERR_ARG;
    }
    w->applied = 0;
    w->failed = status != BR_OK;
    return status;
}
