# One table from the output of engines-table and of integrations/rigid/js/scenes/table.mjs: scenes in rows, engines in
# columns, alone and with bristle; two numbers are at 1/60 and 1/240 s.

/^-- / {
    engine = substr($0, 4)
    sub(/:.*/, "", engine)
    sub(/^ODE [0-9.]*, /, "", engine)
    if (engine !~ /^MuJoCo/) { # there are two versions
        sub(/ [(]?[a-z0-9-]*[ .0-9)]*$/, "", engine)
    }
    engines[++engine_count] = engine
}

# The numbers after `label` are those of the engine alone, then as many with bristle; `each` of them belong together.
function store(scene, numbers, each, value, n, half, k, text) {
    n = split(numbers, value, " ") / each
    if (!(scene in seen)) {
        seen[scene] = 1
        scenes[++scene_count] = scene
    }
    half = n / 2
    for (k = 0; k < n; k++) {
        text = value[k * each + 1] (each > 1 ? ", " value[k * each + 2] : "")
        sub(/inf/, "falls", text)
        cell[k >= half, scene, engine] = cell[k >= half, scene, engine] (k % half ? " / " : "") text
    }
}

/creep \[um\/s\]/ {
    scene = substr($0, 3, 32)
    sub(/ *$/, "", scene)
    store(scene " [um/s]", substr($0, index($0, "[um/s]") + 6), 1)
}

/puck, .*mm, rad/ {
    scene = substr($0, 3, index($0, ": mm") - 3)
    store(scene " [mm, rad]", substr($0, index($0, "mm, rad") + 7), 2)
}

/slow spring/ {
    store("slow spring, force over mu_c m g", drop_counts(substr($0, index($0, "force") + 5)), 2)
}

# without the third number of each column, the count of slips
function drop_counts(text, value, n, k, out) {
    n = split(text, value, " ")
    for (k = 1; k <= n; k += 3) {
        out = out " " value[k] " " value[k + 1]
    }
    return out
}

/box drawn by a spring/ {
    store("box drawn by a spring, force over mu m g", substr($0, index($0, "mu m g") + 6), 1)
}

/tray, 1.5 mu g/ {
    store("tray, 1.5 mu g, range and drift [mm, mm/s]", substr($0, index($0, "mm/s)") + 5), 2)
}

# one line for each column
/ pushes, / {
    with = /, bristle:/
    gains = substr($0, index($0, "all gains") + 10)
    sub(/ mJ.*/, "", gains)
    add(with, "random pushes, all gains [mJ]", gains)
    if (with) {
        friction = substr($0, index($0, "of friction") + 12)
        sub(/ J.*/, "", friction)
        add(with, "random pushes, gain of friction [J]", friction)
    }
}

/cost, / {
    cost = $0
    sub(/.*: /, "", cost)
    kind = substr($0, index($0, "cost, ") + 6, 14)
    sub(/ *$/, "", kind)
    add(0, "time of a step, " kind, "1")
    add(1, "time of a step, " kind, cost)
}

function add(with, scene, text, where) {
    if (!(scene in seen)) {
        seen[scene] = 1
        scenes[++scene_count] = scene
    }
    where = cell[with, scene, engine]
    cell[with, scene, engine] = where (where == "" ? "" : " / ") text
}

function print_table(with, s, e) {
    printf "%-44s", with ? "with bristle" : "alone"
    for (e = 1; e <= engine_count; e++) {
        printf " | %-27s", engines[e]
    }
    printf "\n"
    for (s = 1; s <= scene_count; s++) {
        printf "%-44s", scenes[s]
        for (e = 1; e <= engine_count; e++) {
            printf " | %-27s", cell[with, scenes[s], engines[e]]
        }
        printf "\n"
    }
}

END {
    print_table(0)
    print ""
    print_table(1)
}
