// Top-down friction in Box2D: a puck that slides and spins, and a box that a tip pushes beside its middle, at
// 60 frames per second. b2FrictionJoint limits force and torque independently; bristle computes
// both from one patch, so that a spinning body slides farther.
#include <box2d/box2d.h>
#include <bristle/bristle.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace
{

const float frame = 1.0f / 60.0f; // [s]
const double gravity = 9.81;      // [m/s^2]

// Friction between a body and the ground below it; its force and torque go into Box2D as impulses.
// A moving body has slid before, so its bristles start deflected.
class Ground
{
  public:
    Ground(b2Body* body, const br_patch_def& shape, double mu)
        : body(body), fn(gravity * body->GetMass())
    {
        br_reason why;
        br_contact_def def = br_contact_def_default();
        expect(br_patch_create(&shape, &patch, &why), why);
        def.patch = patch;
        def.law = br_law_from_mu(mu, br_patch_eval(patch, fn).r, body->GetMass(), fn);
        expect(br_contact_create(&def, &friction, &why), why);
        z.assign(br_contact_get_state_count(friction), 0.0);
        br_contact_steady_eval(friction, twist(), fn, z.data());
        contact = {};
        contact.contact = friction, contact.z = z.data(), contact.fn = fn;
        work.resize(br_step_get_work(&contact, 1));
        host = br_step_host_default(body->GetMass(), body->GetInertia());
        host.start_only = 1; // only Box2D knows what the tip does in this frame: it is observed
    }

    ~Ground()
    {
        br_contact_destroy(friction);
        br_patch_destroy(patch);
    }

    Ground(const Ground&) = delete;
    Ground& operator=(const Ground&) = delete;

    // Before b2World::Step, which moves a body with the velocity at the frame's end. That is the
    // mid-frame velocity (leapfrog) if the one at the start has had only half a frame of friction.
    void push()
    {
        contact.angle = body->GetAngle();
        const br_wrench f = br_step_host_step(&host, twist(), due, &contact, 1, work.data()).f;
        const b2Vec2 impulse(static_cast<float>(due * f.fx), static_cast<float>(due * f.fy));
        body->ApplyLinearImpulseToCenter(impulse, true);
        body->ApplyAngularImpulse(static_cast<float>(due * f.tau), true);
        due = frame;
    }

    // Call after it.
    void learn()
    {
        br_step_host_learn(&host, twist());
    }

  private:
    static void expect(br_status status, const br_reason& why)
    {
        if (status != BR_OK) {
            std::fprintf(stderr, "%s: %s\n", why.field, why.text);
            std::exit(1);
        }
    }

    br_twist twist() const
    {
        const b2Vec2 v = body->GetLinearVelocity();
        return br_twist{v.x, v.y, body->GetAngularVelocity()};
    }

    b2Body* body;
    double fn;                // [N]
    double due = 0.5 * frame; // friction of the next push [s]
    br_patch* patch = nullptr;
    br_contact* friction = nullptr;
    std::vector<double> z, work; // we store the bristles
    br_step_contact contact;
    br_step_host host;
};

// The same with Box2D's own joint, with the correct limits of force and torque.
void join_to_ground(b2World* world, b2Body* ground, b2Body* body, const br_patch_def& shape,
                    double mu)
{
    br_patch* patch;
    if (br_patch_create(&shape, &patch, nullptr) != BR_OK) {
        std::exit(1);
    }
    b2FrictionJointDef joint;
    joint.Initialize(ground, body, body->GetPosition());
    joint.maxForce = static_cast<float>(mu * gravity * body->GetMass());
    joint.maxTorque = static_cast<float>(br_patch_eval(patch, 1.0).r * joint.maxForce);
    world->CreateJoint(&joint);
    br_patch_destroy(patch);
}

b2Body* add_body(b2World* world, const b2Shape& shape, double mass, double inertia)
{
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.allowSleep = false;
    b2Body* body = world->CreateBody(&def);
    body->CreateFixture(&shape, 1.0f)->SetFriction(0.0f); // the tip has no friction
    b2MassData data;
    data.mass = static_cast<float>(mass), data.center.SetZero();
    data.I = static_cast<float>(inertia);
    body->SetMassData(&data);
    return body;
}

// Move a body of a scene for some seconds; returns its final pose.
br_pose run(b2World* world, b2Body* body, Ground* ground, double seconds)
{
    for (int i = 0; i < static_cast<int>(std::lround(seconds / frame)); i++) {
        if (ground) {
            ground->push();
        }
        world->Step(frame, 8, 3);
        if (ground) {
            ground->learn();
        }
    }
    return br_pose{body->GetPosition().x, body->GetPosition().y, body->GetAngle()};
}

// 100 g, 40 mm: kicked at 0.5 m/s while it spins at 40 rad/s.
br_pose slide_puck(bool by_bristle)
{
    const double mass = 0.1, radius = 0.04, mu = 0.2;
    b2World world(b2Vec2(0.0f, 0.0f));
    b2CircleShape circle;
    circle.m_radius = static_cast<float>(radius);
    b2Body* puck = add_body(&world, circle, mass, 0.5 * mass * radius * radius);
    puck->SetLinearVelocity(b2Vec2(0.5f, 0.0f));
    puck->SetAngularVelocity(40.0f);

    br_patch_def shape = br_patch_def_default();
    shape.radius = br_by_force_constant(radius);
    if (by_bristle) {
        Ground ground(puck, shape, mu);
        return run(&world, puck, &ground, 2.0);
    }
    b2BodyDef nothing;
    join_to_ground(&world, world.CreateBody(&nothing), puck, shape, mu);
    return run(&world, puck, nullptr, 2.0);
}

// 5 kg, 0.6 x 0.4 m: a round tip without friction moves along x, beside the middle.
const double box_x = 0.6, box_y = 0.4, tip_radius = 0.05, tip_speed = 0.1, tip_beside = 0.08,
             push_time = 3.0;

br_patch_def box_patch()
{
    br_patch_def shape = br_patch_def_default();
    shape.shape = BR_SHAPE_RECTANGLE, shape.size_x = box_x, shape.size_y = box_y;
    return shape;
}

void add_tip(b2World* world)
{
    b2BodyDef def;
    def.type = b2_kinematicBody;
    def.position.Set(static_cast<float>(-0.5 * box_x - tip_radius), static_cast<float>(tip_beside));
    def.linearVelocity.Set(static_cast<float>(tip_speed), 0.0f);
    b2CircleShape circle;
    circle.m_radius = static_cast<float>(tip_radius);
    world->CreateBody(&def)->CreateFixture(&circle, 0.0f)->SetFriction(0.0f);
}

br_pose push_box(bool by_bristle)
{
    const double mass = 5.0, mu = 0.3;
    b2World world(b2Vec2(0.0f, 0.0f));
    b2PolygonShape rectangle;
    rectangle.SetAsBox(static_cast<float>(0.5 * box_x), static_cast<float>(0.5 * box_y));
    const double inertia = mass * (box_x * box_x + box_y * box_y) / 12.0;
    b2Body* box = add_body(&world, rectangle, mass, inertia);
    add_tip(&world);
    if (by_bristle) {
        Ground ground(box, box_patch(), mu);
        return run(&world, box, &ground, push_time);
    }
    b2BodyDef nothing;
    join_to_ground(&world, world.CreateBody(&nothing), box, box_patch(), mu);
    return run(&world, box, nullptr, push_time);
}

// Motion of that box pushed by a slow tip, by the exact limit surface, without inertia (pushing.h).
br_pose push_slowly()
{
    br_outline* outline;
    br_patch* patch;
    br_limit* surface;
    const br_patch_def shape = box_patch();
    br_limit_def def = br_limit_def_default();
    if (br_patch_create(&shape, &patch, nullptr) != BR_OK) {
        std::exit(1);
    }
    def.patch = patch;
    if (br_limit_create(&def, &surface, nullptr) != BR_OK ||
        br_outline_create(patch, 1.0, 0, &outline, nullptr) != BR_OK) {
        std::exit(1);
    }
    br_pushing pushing = br_pushing_default();
    pushing.surface = surface, pushing.outline = outline;
    pushing.radius = tip_radius, pushing.mu = 0.0;
    br_pose pose = {0.0, 0.0, 0.0};
    const br_vec2 from = {-0.5 * box_x - tip_radius, tip_beside};
    br_pushing_step(&pushing, &pose, from, br_vec2{from.x + tip_speed * push_time, from.y});
    br_limit_destroy(surface);
    br_patch_destroy(patch);
    br_outline_destroy(outline);
    return pose;
}

// How far a body moves in 4 s, after it has settled for 1 s.
br_pose creep(b2World* world, b2Body* body, Ground* ground)
{
    const br_pose start = run(world, body, ground, 1.0), end = run(world, body, ground, 4.0);
    return br_pose{end.x - start.x, end.y - start.y, end.theta - start.theta};
}

// 0.5 kg, 60 x 60 mm, mu 0.6, held on a slope of 15 degrees.
br_pose hold_box(bool by_bristle)
{
    const double mass = 0.5, side = 0.06, slope = 0.2618, mu = 0.6 * std::cos(slope);
    b2World world(b2Vec2(static_cast<float>(gravity * std::sin(slope)), 0.0f));
    b2PolygonShape square;
    square.SetAsBox(static_cast<float>(0.5 * side), static_cast<float>(0.5 * side));
    b2Body* box = add_body(&world, square, mass, mass * side * side / 6.0);
    br_patch_def shape = br_patch_def_default();
    shape.shape = BR_SHAPE_RECTANGLE, shape.size_x = side, shape.size_y = side;
    if (by_bristle) {
        Ground ground(box, shape, mu);
        return creep(&world, box, &ground);
    }
    b2BodyDef nothing;
    join_to_ground(&world, world.CreateBody(&nothing), box, shape, mu);
    return creep(&world, box, nullptr);
}

void print(const char* what, br_pose pose)
{
    std::printf("  %-30s x %6.1f mm  y %6.1f mm  turned %6.2f rad\n", what, 1e3 * pose.x,
                1e3 * pose.y, pose.theta);
}

} // namespace

int main()
{
    const br_pose puck = slide_puck(true), decoupled = slide_puck(false);
    std::printf("a puck, 0.5 m/s and 40 rad/s\n");
    print("Box2D with bristle", puck);
    print("b2FrictionJoint", decoupled);

    const br_pose box = push_box(true), joined = push_box(false), slow = push_slowly();
    std::printf("a box, pushed by 300 mm\n");
    print("exact limit surface", slow);
    print("Box2D with bristle", box);
    print("b2FrictionJoint", joined);

    const double held = hold_box(true).x, held_by_joint = hold_box(false).x;
    std::printf("a box on a slope of 15 degrees creeps\n");
    std::printf("  %-30s %g um/s\n  %-30s %g um/s\n", "Box2D with bristle", 1e6 * held / 4.0,
                "b2FrictionJoint", 1e6 * held_by_joint / 4.0);

    // `bristle run`: 185.8 mm, 13.41 rad; frames of 1/60 s change 0.2 and 0.1 %; without spin 64 mm
    const bool is_puck = std::fabs(puck.x - 0.1858) < 0.005 * 0.1858 &&
                         std::fabs(puck.theta - 13.41) < 0.005 * 13.41;
    const bool is_box = std::fabs(box.theta - slow.theta) < 0.02 * std::fabs(slow.theta) &&
                        std::fabs(box.x - slow.x) < 0.02 * slow.x;
    // Box2D's positions have single precision: at 1 mm, 1e-10 m
    const bool is_held = std::fabs(held) < 1e-9 && std::fabs(held_by_joint) < 1e-9;
    return is_puck && decoupled.x < 0.07 && is_box && is_held ? 0 : 1;
}
