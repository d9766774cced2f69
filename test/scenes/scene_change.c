/*
 * The same scene in other axes, mirrored, and in other units.
 *
 * Rotation by an angle about the world's origin turns everything that is fixed to the world: poses,
 * velocities, gravity, loads, fingers, supports, the pusher. Feet keep their place on the body.
 * The mirror is y -> -y. In units of M kg, L m and T s a quantity of dimension kg^a m^b s^c has
 * the number of the old unit over M^a L^b T^c.
 */
#include <math.h>

#include "scene.h"

static void turn2(double v[2], double c, double s)
{
    const double x = v[0], y = v[1];
    v[0] = c * x - s * y;
    v[1] = s * x + c * y;
}

// which angles of friction belong to the world: a foot's of the ground, a finger's own
static bool has_world_axes(const contact* of)
{
    return of->in_body == of->law.ground;
}

static void turn_contact(contact* of, double angle)
{
    const double c = cos(angle), s = sin(angle);
    turn2(of->direction, c, s);
    if (!of->in_body) {
        turn2(of->at, c, s);
        turn2(of->patch.centre, c, s);
        of->patch.angle += angle;
    }
    if (has_world_axes(of)) {
        of->law.angle += angle;
    }
    if (!of->law.field.in_body) {
        turn2(of->law.field.centre, c, s);
        of->law.field.angle += angle;
    }
}

scene scene_turn(const scene* of, double angle)
{
    scene out = *of;
    const double c = cos(angle), s = sin(angle);
    turn2(out.pose, c, s);
    out.pose[2] += angle;
    turn2(out.velocity, c, s);
    turn2(out.gravity, c, s);
    turn2(out.pusher.from, c, s);
    turn2(out.pusher.direction, c, s);
    for (int i = 0; i < out.contact_count; i++) {
        turn_contact(&out.contacts[i], angle);
    }
    for (int i = 0; i < out.load_count; i++) {
        double f[2] = {out.loads[i].x, out.loads[i].y};
        turn2(f, c, s);
        out.loads[i].x = f[0];
        out.loads[i].y = f[1];
    }
    return out;
}

static void mirror_patch(patch* of)
{
    of->angle = -of->angle;
    of->centre[1] = -of->centre[1];
    for (int i = 0; i < of->count; i++) {
        of->y[i] = -of->y[i];
    }
    for (int i = 0; i < GRID_SIDE / 2; i++) {
        for (int j = 0; j < GRID_SIDE; j++) {
            const double swap = of->cells[i][j];
            of->cells[i][j] = of->cells[GRID_SIDE - 1 - i][j];
            of->cells[GRID_SIDE - 1 - i][j] = swap;
        }
    }
}

static void mirror_law(law* of)
{
    of->angle = -of->angle;
    of->field.angle = -of->field.angle;
    of->field.centre[1] = -of->field.centre[1];
    for (int i = 0; i < 2; i++) {
        const double swap = of->field.factor[0][i];
        of->field.factor[0][i] = of->field.factor[1][i];
        of->field.factor[1][i] = swap;
    }
}

scene scene_mirror(const scene* of)
{
    scene out = *of;
    out.pose[1] = -out.pose[1];
    out.pose[2] = -out.pose[2];
    out.velocity[1] = -out.velocity[1];
    out.velocity[2] = -out.velocity[2];
    out.gravity[1] = -out.gravity[1];
    out.pusher.from[1] = -out.pusher.from[1];
    out.pusher.direction[1] = -out.pusher.direction[1];
    for (int i = 0; i < out.contact_count; i++) {
        mirror_patch(&out.contacts[i].patch);
        out.contacts[i].at[1] = -out.contacts[i].at[1];
        out.contacts[i].direction[1] = -out.contacts[i].direction[1];
        mirror_law(&out.contacts[i].law);
    }
    for (int i = 0; i < out.load_count; i++) {
        out.loads[i].y = -out.loads[i].y;
        out.loads[i].torque = -out.loads[i].torque;
    }
    return out;
}

static void scale_wave(wave* of, double value, double time)
{
    const double slope = of->kind == WAVE_ACCELERATE ? value / time : value;
    of->mean /= value;
    of->amplitude /= slope;
    of->frequency *= time;
    of->start /= time;
    of->end /= time;
    of->hold /= time;
    for (int i = 0; i < of->count; i++) {
        of->t[i] /= time;
        of->value[i] /= value;
    }
}

static void scale_patch(patch* of, double length, double force)
{
    of->radius *= pow(force, of->exponent) / length;
    of->most /= length;
    of->size[0] /= length;
    of->size[1] /= length;
    of->centre[0] /= length;
    of->centre[1] /= length;
    for (int i = 0; i < of->count; i++) {
        of->x[i] /= length;
        of->y[i] /= length;
    }
}

static void scale_contact(contact* of, double length, double time, double force)
{
    scale_patch(&of->patch, length, force);
    scale_wave(&of->normal, force, time);
    scale_wave(&of->support, length, time);
    of->at[0] /= length;
    of->at[1] /= length;
    of->law.field.size /= length;
    of->law.field.centre[0] /= length;
    of->law.field.centre[1] /= length;
    of->law.v_s *= time / length;
    of->law.v_damping *= time / length;
    of->law.sigma0 *= length;
    of->law.sigma1 *= length / time;
    of->law.sigma2 *= length / time;
}

scene scene_scale(const scene* of, double mass, double length, double time)
{
    scene out = *of;
    const double force = mass * length / (time * time);
    out.mass /= mass;
    out.inertia /= mass * length * length;
    out.radius /= length;
    out.duration /= time;
    out.step /= time;
    out.length_unit *= length;
    out.velocity[2] *= time;
    for (int i = 0; i < 2; i++) {
        out.size[i] /= length;
        out.pose[i] /= length;
        out.velocity[i] *= time / length;
        out.gravity[i] *= time * time / length;
        out.pusher.from[i] /= length;
    }
    for (int i = 0; i < out.contact_count; i++) {
        scale_contact(&out.contacts[i], length, time, force);
    }
    for (int i = 0; i < out.load_count; i++) {
        scale_wave(&out.loads[i].wave, force, time);
        out.loads[i].torque /= length;
    }
    scale_wave(&out.pusher.wave, length, time);
    out.pusher.radius /= length;
    out.pusher.stiffness *= time * time / mass;
    out.pusher.damping *= time / mass;
    return out;
}
