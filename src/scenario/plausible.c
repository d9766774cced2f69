/*
 * Warnings of quantities that are implausible compared with the others.
 */
#include "scenario/read_body.h"

#include <math.h>
#include <string.h>

#include "bristle/math.h"
#include "scenario/kind.h"

// The data of the rules.
typedef struct facts {
    const node* root;
    const body_input* input;
    const br_body* body;
    double area, extent; // of the body's outline [m^2], [m]; 0: not known
    double duration, every;
    size_t contact;     // the one that is checked
    const node* warned; // the value of the last warning
} facts;

static const double earth = 9.81; // [m/s^2]

// --- measures -------------------------------------------------------------------------------------

// Twice the area is the sum of cross products of corners.
static void measure_outline(const body_outline* outline, facts* f)
{
    double twice = 0, reach = outline->radius;
    for (size_t i = 0; i < outline->count; i++) {
        const br_vec2 a = outline->points[i], b = outline->points[(i + 1) % outline->count];
        twice += br_vec2_cross(a, b);
        reach = fmax(reach, br_vec2_norm(a));
    }
    f->area = outline->count ? 0.5 * fabs(twice) : BR_PI * outline->radius * outline->radius;
    f->extent = 2 * reach;
}

// The smallest density that a body of this mass can have, if it is no higher than it is long [kg/m^3].
static double density(const facts* f)
{
    return f->area > 0 ? f->body->mass / (f->area * f->extent) : 0;
}

static double area_by_mass(const facts* f)
{
    return f->area / f->body->mass;
}

static double speed(const facts* f)
{
    return hypot(f->body->velocity.vx, f->body->velocity.vy);
}

// An angle grinder turns at 1,150 rad/s.
static double spin(const facts* f)
{
    return fabs(f->body->velocity.w);
}

static double gravity(const facts* f)
{
    return br_vec2_norm(f->body->gravity);
}

// A normal force of the contact [N] over its share of the weight if all bear as much.
static double by_share(const facts* f, double fn)
{
    const size_t count = f->body->contacts[f->contact].count * f->body->contact_count;
    return fn * (double)count / (f->body->mass * earth);
}

// That of the force that presses the contact on the table at the start; 0: none.
static double pressing(const facts* f)
{
    const br_body_contact* c = &f->body->contacts[f->contact];
    const bool is_given = c->frame == BR_FRAME_BODY && c->weight == 0;
    return is_given ? by_share(f, br_profile_eval(&c->normal_force, 0, 0, NULL)) : 0;
}

// Of a finger: small parts of a few grams are held by thousands of times their weight, but not by 1 kN.
static double clamping(const facts* f)
{
    const br_body_contact* c = &f->body->contacts[f->contact];
    const double fn = br_profile_get_largest(&c->normal_force);
    return c->frame == BR_FRAME_WORLD && fn >= 1000 ? by_share(f, fn) : 0;
}

// The weight along the plane over what friction can hold of it at best; 0: other forces may hold it, too.
static double weight_by_hold(const facts* f)
{
    const br_body* body = f->body;
    double hold = 0;
    for (size_t i = 0; i < body->contact_count; i++) {
        const br_body_contact* c = &body->contacts[i];
        if (c->weight > 0 || c->grip) {
            return 0;
        }
        hold += f->input->contacts[i].friction.law.mu_s * (double)c->count *
                br_profile_get_largest(&c->normal_force);
    }
    const bool is_alone = body->load_count == 0 && !body->pusher;
    return is_alone && hold > 0 ? body->mass * br_vec2_norm(body->gravity) / hold : 0;
}

static double weight_by_force(const facts* f)
{
    const double share = pressing(f);
    return share > 0 ? 1 / share : 0;
}

// How many times as wide as the body the patch is.
static double patch_width(const facts* f)
{
    const br_patch* patch = f->body->contacts[f->contact].patch;
    return patch && f->extent > 0 ? 2 * sqrt(br_patch_eval(patch, 1).u) / f->extent : 0;
}

static double gyration(const facts* f)
{
    return sqrt(f->body->inertia / f->body->mass);
}

// How far from the CoM the centre of the contact is at the start [m].
static double offset(const facts* f)
{
    const br_body_contact* c = &f->body->contacts[f->contact];
    const br_vec2 centre = c->patch ? br_patch_get_def(c->patch)->centre : (br_vec2){0, 0};
    const br_pose pose = f->body->pose;
    const br_vec2 com = c->frame == BR_FRAME_BODY ? (br_vec2){0, 0} : (br_vec2){pose.x, pose.y};
    return br_vec2_norm(br_vec2_sub(br_vec2_add(c->at, centre), com));
}

// Over the size of the body, which is at most some ten times its radius of gyration.
static double offset_by_size(const facts* f)
{
    return offset(f) / (f->extent > 0 ? f->extent : 10 * gyration(f));
}

// The radius of gyration over the size of the body. Where that is not known, the body reaches to its feet, and is at
// most some ten times as wide as what its fingers cover.
static double gyration_by_size(const facts* f)
{
    facts of = *f;
    double size = f->extent;
    for (of.contact = 0; f->extent == 0 && of.contact < f->body->contact_count; of.contact++) {
        const br_body_contact* c = &f->body->contacts[of.contact];
        const double width = c->patch ? 2 * sqrt(br_patch_eval(c->patch, 1).u) : 0;
        const double covered = 2 * offset(&of) + width;
        size = fmax(size, c->frame == BR_FRAME_BODY ? covered : 10 * covered);
    }
    return size > 0 ? gyration(f) / size : 0;
}

// Time in ms: rows a second apart or more.
static double seconds(const facts* f)
{
    return f->every >= 1 ? f->duration : 0;
}

// --- rules ----------------------------------------------------------------------------------------

typedef enum block { ROOT, BODY, CONTACT } block;

// A limit of a measure, and the warning beyond it: the value, the measure in words, and the unit that may be meant.
typedef struct rule {
    block of;
    const char* key; // of the value
    double (*measure)(const facts* f);
    double limit;
    const char *before, *after; // of the measure, in the warning
    const char* meant;
} rule;

static const rule rules[] = {
    {BODY, "velocity", speed, 100, "", " m/s is faster than a car", "mm/s"},
    {BODY, "velocity", spin, 1000, "", " rad/s is faster than a grinder", "deg/s"},
    {ROOT, "gravity", gravity, 100, "", " m/s^2 is ten times that of the earth", "mm/s^2"},
    {BODY, "mass", density, 1e5, "with its size that is ", " kg/m^3 or more; steel has 7800", "g"},
    {BODY, "mass", weight_by_hold, 100, "its weight is ", " times what friction can hold",
     "g, or normal forces in kN"},
    {BODY, "inertia", gyration_by_size, 10, "with its mass that is a radius of gyration of ",
     " times the size of the body or its contacts", "kg mm^2"},
    {BODY, "size", area_by_mass, 200, "with its mass that is ", " m^2/kg; paper has 12", "mm"},
    {CONTACT, "normal_force", pressing, 100, "is ", " times the weight on it", "mN, or weight"},
    {CONTACT, "normal_force", weight_by_force, 100, "the weight on it is ", " times that",
     "kN, or weight"},
    {CONTACT, "normal_force", clamping, 500, "is ", " times the weight that it holds", "mN"},
    {CONTACT, "at", offset_by_size, 10, "is ", " times the size of the body away from it", "mm"},
    {CONTACT, "patch", patch_width, 10, "is ", " times as wide as the body", "mm"},
    {ROOT, "duration", seconds, 999, "", " s with rows a second apart or more", "ms"},
};

static const node* find(const facts* f, const rule* r)
{
    const node* blocks[] = {[ROOT] = f->root, [BODY] = bri_node_find(f->root, "body")};
    const node* map = r->of == CONTACT ? f->input->contacts[f->contact].from : blocks[r->of];
    const node* value = bri_node_find(map, r->key);
    return value ? value : map;
}

static void apply(facts* f, const rule* r)
{
    const size_t count = r->of == CONTACT ? f->body->contact_count : 1;
    for (f->contact = 0; f->contact < count; f->contact++) {
        const double x = r->measure(f);
        const node* value = x > r->limit ? find(f, r) : NULL;
        if (value && value != f->warned && !bri_quantity_is_given(value)) {
            f->warned = value;
            const bool is_one = value->kind == NODE_SCALAR;
            bri_warn(value->in, "%s%s%.3g%s; did you mean %s%s%s?", bri_node_place(value),
                     r->before, x, r->after, is_one ? value->text : "", is_one ? " " : "",
                     r->meant);
            return; // one warning is enough for identical contacts
        }
    }
}

// --- starts ---------------------------------------------------------------------------------------

// The jump of speed [m/s] that the bristles of a contact take up: a mass [kg] on their stiffness sigma0 fn deflects by v
// sqrt(mass/(sigma0 fn)), and slips beyond mu_s/sigma0.
static double absorbed(const br_law* law, double fn, double mass)
{
    return law->mu_s * sqrt(fn / (law->sigma0 * mass));
}

// Warn of a finger that starts at another speed than the body that it holds.
static void warn_of_jump(const facts* f)
{
    const br_body* body = f->body;
    const br_body_contact* c = &body->contacts[f->contact];
    const br_law* law = &f->input->contacts[f->contact].friction.law;
    const double fn = (double)c->count * br_profile_eval(&c->normal_force, 0, 0, NULL);
    if (c->frame != BR_FRAME_WORLD || !(fn > 0)) {
        return;
    }
    // the motion is relative to the finger's own position: at t = 0 the body is under it
    br_twist finger;
    const double x = br_profile_eval(&c->motion[0], 0, 0, &finger.vx);
    const double y = br_profile_eval(&c->motion[1], 0, 0, &finger.vy);
    br_profile_eval(&c->motion[2], 0, 0, &finger.w);
    const br_vec2 arm = {c->at.x + x - body->pose.x, c->at.y + y - body->pose.y};
    const br_twist v = body->velocity;
    const br_vec2 slip = {finger.vx - v.vx + v.w * arm.y, finger.vy - v.vy - v.w * arm.x};
    const double speed_of = hypot(finger.vx, finger.vy);
    const bool jumps = speed_of > 0 && br_vec2_norm(slip) > absorbed(law, fn, body->mass);
    // turning about the finger; at the rim, bristles feel its inertia as a mass
    const double r = c->patch ? br_patch_eval(c->patch, fn).r : 0;
    const double inertia = body->inertia + body->mass * br_vec2_dot(arm, arm);
    const bool turns =
        finger.w != 0 && r > 0 && r * fabs(finger.w - v.w) > absorbed(law, fn, inertia / (r * r));
    if (!jumps && !turns) {
        return;
    }
    const node* map = f->input->contacts[f->contact].from;
    const node* support = bri_node_find(map, "support");
    const node* moved = bri_node_find(support ? support : map, jumps ? "position" : "angle");
    bri_warn(f->root->in,
             "%sthe finger starts at %.3g %s, the body that it holds at %.3g: it slips at the "
             "start. Use kind: move or accelerate, or give the body this velocity",
             bri_node_place(moved ? moved : map), jumps ? speed_of : fabs(finger.w),
             jumps ? "m/s" : "rad/s", jumps ? hypot(v.vx, v.vy) : fabs(v.w));
}

// --- times ----------------------------------------------------------------------------------------

// The times of the profiles of a file, in a run of `duration` [s].
typedef struct schedule {
    double duration, last; // [s]
    bool is_course;        // one has several instants
    bool goes_on;          // one has no last instant
} schedule;

// Evidence of times in ms: periods and the first steps that are beyond the end of a run by so much, and a run that is
// much longer than all that happens in it.
static const struct {
    const char* key;
    double limit;
} periods[] = {{"every", 20}, {"hold", 20}, {"step", 1}, {"times", 100}};
static const double long_run = 100, much_longer = 300; // [s], [-]

static void warn_of_period(const node* value, double x, const char* key, double duration)
{
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
        if (strcmp(key, periods[i].key) == 0 && x > periods[i].limit * duration &&
            !bri_quantity_is_given(value)) {
            bri_warn(value->in, "%s%.6g s in a run of %.6g s; did you mean ms?",
                     bri_node_place(value), x, duration);
        }
    }
}

// Tables may go beyond the run for the sake of their slope.
static void visit_times(const node* map, const node* times, schedule* all)
{
    const node* kind = bri_node_find(map, "kind");
    if (kind && strcmp(kind->text, "steps") == 0 && times->count > 1) {
        warn_of_period(times, bri_value_number(times->children[1], RANGE_ANY), "times",
                       all->duration);
    }
    all->is_course = all->is_course || times->count > 2;
    all->last = fmax(all->last, bri_value_number(times->children[times->count - 1], RANGE_ANY));
}

static void visit(const node* map, schedule* all)
{
    static const char* const endless[] = {"frequency", "file", "speed", "coefficients", NULL};
    static const char* const ends[] = {"start", "end", "duration", NULL};
    for (size_t i = 0; i < map->count; i++) {
        const node* value = map->children[i];
        const char* key = value->key ? value->key : "";
        double x = 0;
        all->goes_on = all->goes_on || br_text_find(key, endless) >= 0;
        if (strcmp(key, "times") == 0 && value->count > 0) {
            visit_times(map, value, all);
        } else if (value->count > 0 && strcmp(key, "sweep") != 0) {
            visit(value, all);
        } else {
            if (bri_value_is_plain(value, &x)) {
                warn_of_period(value, x, key, all->duration);
            }
            const bool is_end = map->key && br_text_find(key, ends) >= 0;
            all->last = fmax(all->last, is_end ? x : 0);
        }
    }
}

void bri_warn_of_times(const node* root, double duration)
{
    schedule all = {.duration = duration};
    visit(root, &all);
    const node* value = bri_node_find(root, "duration");
    double x;
    if (all.is_course && !all.goes_on && duration >= long_run &&
        duration > much_longer * all.last && bri_value_is_plain(value, &x)) {
        bri_warn(root->in, "%s%.6g s, while all profiles end by %.3g s; did you mean %.6g ms?",
                 bri_node_place(value), duration, all.last, duration);
    }
}

// --------------------------------------------------------------------------------------------------

void bri_warn_implausible(const node* root, const body_input* input, double duration, double every)
{
    facts f = {
        .root = root, .input = input, .body = &input->body, .duration = duration, .every = every};
    measure_outline(&input->outline, &f);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        apply(&f, &rules[i]);
    }
    for (f.contact = 0; f.contact < input->body.contact_count; f.contact++) {
        warn_of_jump(&f);
    }
}
