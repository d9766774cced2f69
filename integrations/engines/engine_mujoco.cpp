// MuJoCo 2.2.2 for the scenes, alone or with the layer.
#include "bristle_mujoco.h"
#include "engine.h"

#include <cstring>

namespace
{
// Mass of a body that is moved by the scene, which sets its velocity in each step [kg]. MuJoCo ends its solver by the
// mean inertia: with much more, its forces are wrong.
const double driven_mass = 100;

struct Mujoco : Engine {
    struct Body {
        Shape shape;
        double x[3];
        int parent = -1;
        double anchor[3], axis[3]; // of a hinge, from the body
    };
    const bool bristle;
    const brg_def* def;
    std::vector<Body> bodies;
    bool has_ground = false;
    double g[3] = {0, 0, 0};
    mjModel* m = nullptr;
    mjData* d = nullptr;
    std::unique_ptr<BristleMujoco> friction;

    Mujoco(bool b, const brg_def* given) : bristle(b), def(given)
    {
    }
    ~Mujoco() override
    {
        mj_deleteData(d);
        mj_deleteModel(m);
    }
    void gravity(double x, double y, double z) override
    {
        g[0] = x, g[1] = y, g[2] = z;
    }
    void ground(double) override // mu is 1 in all scenes
    {
        has_ground = true;
    }
    int add(const Shape& s, double x, double y, double z) override
    {
        Body b{};
        b.shape = s, b.parent = -1;
        b.x[0] = x, b.x[1] = y, b.x[2] = z;
        bodies.push_back(b);
        return int(bodies.size()) - 1;
    }
    void hinge(int a, int b, const double* x, const double* axis) override
    {
        Body& child = bodies[size_t(b)];
        child.parent = a;
        for (int k = 0; k < 3; k++)
            child.anchor[k] = x[k] - child.x[k], child.axis[k] = axis[k];
    }

    // With bristle, bodies that the scene moves are mocap bodies. MuJoCo alone would take their velocity as 0.
    bool is_mocap(const Body& b) const
    {
        return b.shape.kinematic && bristle;
    }
    static std::string numbers(const double* x, int n = 3)
    {
        std::string text;
        char one[40];
        for (int k = 0; k < n; k++)
            snprintf(one, sizeof one, "%.17g ", x[k]), text += one;
        return text;
    }
    std::string joints(const Body& b) const
    {
        if (is_mocap(b))
            return "";
        if (b.parent >= 0)
            return "<joint type='hinge' pos='" + numbers(b.anchor) + "' axis='" + numbers(b.axis) +
                   "'/>";
        if (b.shape.kinematic)
            return "<joint type='slide' axis='1 0 0'/><joint type='hinge' axis='0 0 1'/>";
        const char* const axes[] = {"1 0 0", "0 1 0", "0 0 1"};
        return b.shape.only < 0
                   ? "<freejoint/>"
                   : std::string("<joint type='slide' axis='") + axes[b.shape.only] + "'/>";
    }
    std::string body(int i) const
    {
        const Body& b = bodies[size_t(i)];
        double x[3], size[3] = {b.shape.half[0], b.shape.half[1], b.shape.half[2]};
        for (int k = 0; k < 3; k++)
            x[k] = b.x[k] - (b.parent >= 0 ? bodies[size_t(b.parent)].x[k] : 0);
        if (b.shape.cylinder)
            size[1] = size[2];
        const double mass = b.shape.kinematic ? driven_mass : b.shape.mass;
        std::string inside;
        for (size_t k = 0; k < bodies.size(); k++)
            inside += bodies[k].parent == i ? body(int(k)) : "";
        return "<body name='" + std::to_string(i) + "' pos='" + numbers(x) + "' mocap='" +
               (is_mocap(b) ? "true" : "false") + "'>" + joints(b) + "<geom name='" +
               std::to_string(i) + "' contype='0' conaffinity='0' type='" +
               (b.shape.cylinder ? "cylinder" : "box") + "' size='" +
               numbers(size, b.shape.cylinder ? 2 : 3) + "' mass='" + numbers(&mass, 1) + "'/>" +
               inside + "</body>";
    }
    static std::string pair(const std::string& a, size_t b, double mu)
    {
        const double friction[5] = {mu, mu, 0.005, 0.0001, 0.0001};
        return "<pair geom1='" + a + "' geom2='" + std::to_string(b) + "' condim='4' friction='" +
               numbers(friction, 5) + "'/>";
    }
    // Coefficients are products, so each pair has its own. Twenty boxes of a scene do not touch each other.
    std::string pairs() const
    {
        std::string text;
        for (size_t i = 0; i < bodies.size(); i++) {
            if (has_ground)
                text += pair("ground", i, bodies[i].shape.mu);
            for (size_t k = 0; k < i && bodies.size() < 20; k++)
                if (bodies[i].parent != int(k) && bodies[k].parent != int(i))
                    text += pair(std::to_string(k), i, bodies[i].shape.mu * bodies[k].shape.mu);
        }
        return text;
    }

    // Create the model: MuJoCo has no bodies that are added later.
    void start(double h)
    {
        std::string xml =
            "<mujoco><size njmax='4000' nconmax='1000'/><option cone='elliptic' timestep='" +
            numbers(&h, 1) + "' gravity='" + numbers(g) + "'/><worldbody>";
        if (has_ground)
            xml += "<geom name='ground' contype='0' conaffinity='0' type='plane' size='5 5 1'/>";
        for (size_t i = 0; i < bodies.size(); i++)
            xml += bodies[i].parent < 0 ? body(int(i)) : "";
        xml += "</worldbody><contact>" + pairs() + "</contact></mujoco>";
        static mjVFS files;
        char why[1000] = "";
        mj_defaultVFS(&files);
        mj_makeEmptyFileVFS(&files, "scene.xml", int(xml.size()));
        memcpy(files.filedata[mj_findFileVFS(&files, "scene.xml")], xml.data(), xml.size());
        m = mj_loadXML("scene.xml", &files, why, sizeof why);
        mj_deleteVFS(&files);
        if (!m)
            throw std::runtime_error(why);
        d = mj_makeData(m);
        mj_forward(m, d);
        if (bristle)
            friction.reset(new BristleMujoco(m, d, def));
    }
    int id(int i) const
    {
        return mj_name2id(m, mjOBJ_BODY, std::to_string(i).c_str());
    }

    // Forces and velocities are set for a step whose length is not known before it.
    struct Force {
        int body;
        double f[3];
    };
    struct Velocity {
        int body;
        double v[3], w[3];
    };
    std::vector<Force> forces;
    std::vector<Velocity> velocities;
    void force(int i, double x, double y, double z) override
    {
        forces.push_back({i, {x, y, z}});
    }
    void set_velocity(int i, const double* v, const double* w) override
    {
        velocities.push_back({i, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}});
    }
    void put_velocity(const Velocity& to, double h)
    {
        const Body& b = bodies[size_t(to.body)];
        const int at = id(to.body);
        if (is_mocap(b)) {
            const int k = m->body_mocapid[at];
            mju_addToScl3(d->mocap_pos + 3 * k, to.v, h);
            mjtNum turn[4], from[4];
            mju_copy4(from, d->mocap_quat + 4 * k);
            const double half = 0.5 * h * to.w[2]; // scenes turn them about z
            turn[0] = std::cos(half), turn[1] = turn[2] = 0, turn[3] = std::sin(half);
            mju_mulQuat(d->mocap_quat + 4 * k, turn, from);
            return;
        }
        mjtNum* qvel = d->qvel + m->body_dofadr[at];
        if (b.shape.kinematic) {
            qvel[0] = to.v[0], qvel[1] = to.w[2];
            return;
        }
        mjtNum R[9];
        mju_quat2Mat(R, d->qpos + m->jnt_qposadr[m->body_jntadr[at]] + 3);
        mju_copy3(qvel, to.v);
        mju_rotVecMatT(qvel + 3, to.w, R);
    }
    void step(double h) override
    {
        if (!m)
            start(h);
        for (const Velocity& each : velocities)
            put_velocity(each, h);
        mju_zero(d->xfrc_applied, 6 * m->nbody);
        for (const Force& each : forces)
            mju_copy3(d->xfrc_applied + 6 * id(each.body), each.f);
        velocities.clear(), forces.clear();
        if (friction)
            friction->step(), report = brg_get_report(friction->layer());
        else
            mj_step(m, d);
    }
    void get(int i, double* x, double* R, double* v, double* w) override
    {
        const Body& b = bodies[size_t(i)];
        const double zero[3] = {0, 0, 0}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        std::vector<mjtNum> velocity(6, 0);
        mjtNum turn[9];
        if (m) {
            mj_kinematics(m, d);
            const int at = id(i);
            mju_copy(turn, d->xmat + 9 * at, 9);
            if (m->body_dofnum[at] == 6) {
                mju_copy3(velocity.data(), d->qvel + m->body_dofadr[at]);
                mju_rotVecMat(velocity.data() + 3, d->qvel + m->body_dofadr[at] + 3, turn);
            }
        }
        if (x)
            mju_copy3(x, m ? d->xpos + 3 * id(i) : b.x);
        if (R)
            mju_copy(R, m ? turn : one, 9);
        if (v)
            mju_copy3(v, m ? velocity.data() : zero);
        if (w)
            mju_copy3(w, m ? velocity.data() + 3 : zero);
    }
};
} // namespace

EnginePointer make_mujoco(bool bristle, const brg_def* def)
{
    return EnginePointer(new Mujoco(bristle, def));
}
