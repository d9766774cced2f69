#!/bin/bash
# Profiles in a file: tables and ramps. A body of 1 kg without contact integrates its load.
. "$(dirname "$0")/lib.sh"

cat >x.yaml <<'END'
body: {mass: 1, inertia: 1}
loads: [{fx: 0}]
duration: 2
output: {every: 0.5}
END
# speeds PROFILE: vx of all rows
speeds() {
    expect_exit 0 "$bristle" run x.yaml --set "loads[0].fx=$1"
    awk -F, 'NR > 1 {printf "%s%.9g", (NR > 2 ? " " : ""), $5}' "$logs/out"
}
# closed form: the integrals, at t = 0, 0.5, 1, 1.5, 2
same() {
    local got
    got=$(speeds "$1")
    [ "$got" = "$2" ] || fail "$1: speeds $got instead of $2"
}
same '{kind: table, times: [0.5, 1.5], values: [0, 2]}' '0 0 0.25 1 2'
same '{kind: table, times: [0.5], values: [3]}' '0 1.5 3 4.5 6'
same '{kind: ramp, from: 1, to: 3, start: 0.5, end: 1.5}' '0 0.5 1.25 2.5 4'
same '{kind: ramp, to: 2, end: 1}' '0 0.25 1 2 3'
same '{kind: ramp, from: 4, to: 0, start: -1, end: 1}' '0 0.75 1 1 1'
# held: 0, 0.5, 1, 1.5 over half a second each
same '{kind: table, times: [0, 2], values: [0, 2], hold: 0.5}' '0 0 0.25 0.75 1.5'
same '{kind: ramp, to: 2, end: 2, hold: 0.5}' '0 0 0.25 0.75 1.5'

# refuse PROFILE REGEX
refuse() {
    expect_refused "loads\[0\].fx$2" "$bristle" check x.yaml --set "loads[0].fx=$1"
}
refuse '{kind: table, times: [0, 1], values: [0]}' '.values: must be as long as times'
refuse '{kind: table, times: [0, 0], values: [0, 1]}' '.times\[1\]: times must increase'
refuse '{kind: ramp, to: 1}' '.end: is missing'
refuse '{kind: ramp, end: 1}' '.to: is missing'
refuse '{kind: ramp, to: 1, start: 2, end: 1}' '.end: must be after start, 2; got 1'
refuse '{kind: ramp, to: 1, end: 1, begin: 0}' '.begin: unknown key'
refuse '{kind: slope}' '.kind: must be one of sine, steps, table, ramp, move, accelerate'
[ "$(wc -l <"$logs/err")" -eq 1 ] || fail "one message for an unknown kind"
refuse '{values: [1]}' '.kind: is missing; must be one of sine, steps, .*: did you mean kind: steps or kind: table\?$'
refuse '{amplitude: 1, frequency: 2}' '.kind: is missing; .*: did you mean kind: sine\?$'
refuse '{foo: 1}' '.kind: is missing; must be one of sine, .*, unless there are file and column$'
refuse '{mean: 1, knd: sine}' '.knd: unknown key; did you mean kind\?$'
[ "$(wc -l <"$logs/err")" -eq 1 ] || fail "one message for a misspelt kind"
