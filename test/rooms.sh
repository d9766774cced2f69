#!/usr/bin/env bash
# Oracle: docs/architecture.md. A room includes only rooms before it; nothing outside base allocates; nothing outside
# sim sees SUNDIALS, runs over time or takes a step of it. Argument: the source folder.
set -u
cd "$1" || exit 1
rooms=(base math law patch limit planar cone slider constrained papers sim fit scenario sweep)
failed=0

position() {
    local i
    for i in "${!rooms[@]}"; do
        [ "${rooms[$i]}" = "$1" ] && { echo "$i"; return; }
    done
    echo -1
}

# the room a public header belongs to
room_of_header() {
    case $1 in
    base | version) echo base ;;
    math) echo math ;;
    law | swing) echo law ;;
    patch) echo patch ;;
    engine | limit) echo limit ;;
    batch | contact | step) echo planar ;;
    outline | pushing | slider) echo slider ;;
    body | grip | integrator | mechanism | motion | profile | rig | run | sim | sliding) echo sim ;;
    fit | fit_* | online) echo fit ;;
    scenario) echo scenario ;;
    sweep) echo sweep ;;
    constrained) echo constrained ;;
    papers) echo papers ;;
    cone | polyhedron | wrench_cone | limit_polyhedron | grasp) echo cone ;;
    *) echo unknown ;;
    esac
}

check() { # FILE, ITS ROOM, INCLUDED ROOM
    local own other
    own=$(position "$2") other=$(position "$3")
    if [ "$other" -lt 0 ] || [ "$other" -gt "$own" ]; then
        echo "$1: room $2 may not include room $3"
        failed=1
    fi
}

includes() { sed -n 's/^#include "\([^"]*\)".*/\1/p' "$1"; }

for file in src/*/*.[ch]; do
    room=$(basename "$(dirname "$file")")
    [ "$(position "$room")" -ge 0 ] || { echo "$file: unknown room $room"; failed=1; }
    for included in $(includes "$file"); do
        case $included in
        bristle/*) check "$file" "$room" "$(room_of_header "$(basename "$included" .h)")" ;;
        */*) check "$file" "$room" "${included%%/*}" ;;
        esac
    done
done
for file in include/bristle/*.h; do
    name=$(basename "$file" .h)
    [ "$name" = bristle ] && continue # includes all
    for included in $(includes "$file"); do
        check "$file" "$(room_of_header "$name")" "$(room_of_header "$(basename "$included" .h)")"
    done
done

# programs: parts that they share, pictures, the command, and those beside it
parts_of() { # FOLDER: those whose headers it may include by name alone
    case $1 in
    parts) echo parts ;;
    pictures) echo pictures parts ;;
    cli) echo cli pictures parts ;;
    bench) echo bench parts ;;
    studies) echo studies bench pictures parts ;;
    esac
}
for program in parts pictures cli bench studies; do
    for file in $program/*.[ch]; do
        for included in $(includes "$file"); do
            case $included in
            bristle/*) [ -e "include/$included" ] || [ -e "include/$included.in" ] && continue ;;
            ../src/*) [ $program = bench ] && continue ;; # it times what is inside, too
            scenario/*) [ -e "src/$included" ] && continue ;; # what was read, to draw it and to tell of it
            */*) ;;
            *)
                for part in $(parts_of $program); do
                    [ -e "$part/$included" ] && continue 2
                done
                ;;
            esac
            [ "$file $included" = "bench/models.c history.h" ] && continue # a program of the tests
            echo "$file: $program may not include $included"
            failed=1
        done
    done
done

# time: runs are sim's (scenario asks sim for them), and so are steps, but for the rooms that have them; benchmarks
# time single ones, and a study may hand equations of its own to sim's integrator
for file in include/bristle/*.h; do
    name=$(basename "$file" .h)
    case $(room_of_header "$name") in sim | scenario | sweep) continue ;; esac
    if grep -nE '\bbr_[a-z_]+_run\(' "$file"; then
        echo "$file: only sim runs over time"
        failed=1
    fi
done
if grep -nE '\bbr_[a-z_]+_step\(' -r src parts pictures cli studies --include='*.[ch]' |
    grep -vE '^src/(law|planar|slider|papers|sim|fit)/|^studies/.*br_integrator_step\('; then
    echo 'only sim may take a time step'
    failed=1
fi

if grep -nE '\b(malloc|calloc|realloc|free)\(' -r src parts pictures cli studies --include='*.[ch]' | grep -v '^src/base/'; then
    echo 'only base may allocate'
    failed=1
fi
if grep -nE '#include <(cvode|nvector|sun)' -r src parts pictures cli bench studies include | grep -v '^src/sim/'; then
    echo 'only sim may see SUNDIALS'
    failed=1
fi
exit $failed
