# One table from the output of engines-table and of integrations/rigid/js/scenes/table.mjs: scenes in rows, engines in
# columns, alone and with bristle; two numbers are at 1/60 and 1/240 s.

/^-- / {
    engine = substr($0, 4)
    sub(/:.*/, "", engine)
    sub(/^ODE [0-9.]*, /, "", engine)
    sub(/ [(]?[a-z0-9-]*[ .0-9)]*$/, "", engine)
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
