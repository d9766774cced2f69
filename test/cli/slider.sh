#!/bin/bash
# Sliders: columns, the paper's examples, toppling, pushers, bad input.
. "$(dirname "$0")/lib.sh"

cat >free.yaml <<'END'
slider: {mass: 0.5, inertia: 2.0833333333333335e-4, height: 0.08, mu: 0.31, e: [1, 1, 0.01], gravity: 9.8,
         pose: [0, 0, 0], velocity: [0.7, 0.9, 10], patch: {shape: rectangle, size: [0.05, 0.05]}}
model: quadratic
step: 0.01
duration: 0.45
END
cat >push.yaml <<'END'
slider: {mass: 0.5, inertia: 2.0833333333333335e-4, height: 0.08, mu: 0.31, e: [1, 1, 0.01], gravity: 9.8,
         velocity: [0.2, 0.3, 0], patch: {shape: rectangle, size: [0.05, 0.05]}}
push: {point: [-0.025, -0.0025], direction: [2, 0],
       magnitude: {kind: sine, mean: 2.2, amplitude: 2, frequency: 10, phase: 1.5707963267948966}}
step: 0.01
duration: 3
END
cat >quasi.yaml <<'END'
slider: {e: [1, 1, 0.02], pose: [0.01, 0.02, 0.5]}
pusher: {point: [-0.03, 0.01], velocity: [0.02, 0.01]}
model: quasistatic
step: 0.1
duration: 1
END
cat >path.yaml <<'END'
slider: {patch: {shape: disc, radius: 0.05}, surface: exact}
pusher: {path: tip.csv, radius: 0.005, mu: 0.25}
model: quasistatic
END
printf 't,x,y\n0,-0.065,0\n1,-0.055,0\n2,0.045,0\n3,-0.1,0\n' >tip.csv
header=t,x,y,theta,vx,vy,w,pt,po,pr,sigma,ax,ay,mode

rows() {
    tail -n +2 "$1" | wc -l
}

# column NAME FILE: its value in the last row
last_of() {
    awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i} END {print $c}' "$2"
}

# expect_near VALUE EXPECTED TOLERANCE
expect_near() {
    awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN {d = a - b; exit !(d <= e && -d <= e)}' ||
        fail "$1 is not within $3 of $2"
}

# example 6.1: every step a row, and the reference's last one
for model in quadratic ncp; do
    expect_exit 0 "$bristle" run free.yaml --set model=$model
    expect_quiet
    [ "$(head -1 "$logs/out")" = $header ] || fail "header"
    [ "$(rows "$logs/out")" -eq 46 ] || fail "46 rows expected"
    [ "$(sed -n 2p "$logs/out")" = 0,0,0,0,0.7,0.9,10,0,0,0,0,0,0,slide ] ||
        fail "the first row"
    # golden/xie_slider/ex61.csv, step 45
    expect_near "$(last_of x "$logs/out")" 0.163616593360341824 1e-10
    expect_near "$(last_of theta "$logs/out")" 3.229024578095518 1e-10
done
expect_exit 0 "$bristle" run free.yaml --set duration=0.8
[ "$(grep -c ,stick "$logs/out")" -eq 34 ] || fail "sticks in step 47"
[ "$(sed -n 49p "$logs/out" | cut -d, -f14)" = stick ] || fail "sticks in step 47"
expect_exit 0 "$bristle" run free.yaml --set duration=0.8 --json
expect_stdout '"events": \[\{"t": 0.47[0-9]*, "kind": "stick"\}\]'

# example 6.2, golden/xie_slider/ex62.csv, step 300
expect_exit 0 "$bristle" run push.yaml
[ "$(rows "$logs/out")" -eq 301 ] || fail "301 rows expected"
expect_near "$(last_of x "$logs/out")" 0.302889376884907061 1e-10
expect_near "$(last_of w "$logs/out")" 7.38625705122390481 1e-10

# rows at every tenth step are some of the rows at every step
cp "$logs/out" all.csv
expect_exit 0 "$bristle" run push.yaml --set output.every=0.1
[ "$(rows "$logs/out")" -eq 31 ] || fail "31 rows expected"
[ "$(tail -1 "$logs/out")" = "$(tail -1 all.csv)" ] || fail "the same last row expected"

# rows are at k every, and one at the end where the duration is no multiple of it
expect_exit 0 "$bristle" run free.yaml --set duration=0.47 --set output.every=0.1
[ "$(rows "$logs/out")" -eq 6 ] || fail "6 rows expected"
expect_near "$(last_of t "$logs/out")" 0.47 1e-15
expect_exit 0 "$bristle" run free.yaml --set duration=0.47 --set output.every=0.1 --json
expect_stdout '"rows": 6, "final": \{"t": 0.47'

# no NaN: any speed slides or sticks; what is no number ends the run with the time
expect_exit 0 "$bristle" run free.yaml --set slider.velocity=[1e100,0,1] --set slider.topple=ignore
! grep -qi nan "$logs/out" || fail "NaN in a row"
expect_near "$(last_of pt "$logs/out")" -0.01519 1e-15
expect_exit 1 "$bristle" run push.yaml --set push.magnitude=1e308 --set push.height=0 --set slider.topple=ignore
expect_stderr 't = 0.01 s: the motion has left the range of numbers'
expect_exit 0 "$bristle" run free.yaml --set slider.velocity=[1e-160,0,0] --set model=ncp
[ "$(last_of mode "$logs/out")" = stick ] || fail "sticks"

# a push near the ground keeps the contact point further back than one at the height of the CoM
expect_exit 0 "$bristle" run push.yaml --set push.height=0.02 --set duration=0.01
low=$(last_of ax "$logs/out")
expect_exit 0 "$bristle" run push.yaml --set duration=0.01
awk -v a="$low" -v b="$(last_of ax "$logs/out")" 'BEGIN {exit !(a < b)}' || fail "push.height"

# toppling ends the run with the time and the edge, unless it is ignored
expect_exit 0 "$bristle" run free.yaml --set slider.height=0.2
expect_stderr 'warning: t = 0.01 s: the slider topples.*over the edge from \(0.025, 0.025\) to \(-0.025, 0.025\) m'
[ "$(rows "$logs/out")" -eq 2 ] || fail "2 rows expected"
[ "$(last_of mode "$logs/out")" = topple ] || fail "mode topple expected"
expect_exit 0 "$bristle" run free.yaml --set slider.height=0.2 --set slider.topple=ignore
expect_stderr 'topples'
[ "$(rows "$logs/out")" -eq 46 ] || fail "46 rows expected"

expect_exit 0 "$bristle" run free.yaml --set slider.height=0.2 --json
expect_stdout '"topple": \{"t": 0.01, "edge": \[\[0.025[0-9]*, 0.025[0-9]*\], \[-0.025'

# pure translation; e from the patch
expect_exit 0 "$bristle" run free.yaml --set model=translation --set 'slider.velocity=[0.7, 0.9, 0]' \
    --set duration=0.1
expect_near "$(last_of vx "$logs/out")" "$(awk 'BEGIN {print 0.7 - 0.31 * 9.8 * 0.1 * 0.7 / sqrt(1.3)}')" 1e-6
sed 's/e: \[1, 1, 0.01\], //' free.yaml >from_patch.yaml
expect_exit 0 "$bristle" run from_patch.yaml

# quasi-static: (38)-(40) in the first row, the contact moves with the pusher
expect_exit 0 "$bristle" run quasi.yaml
[ "$(rows "$logs/out")" -eq 11 ] || fail "11 rows expected"
sed -n 1,2p "$logs/out" >first.csv
w=$(awk 'BEGIN {x = -0.04; y = -0.01; print (x * 0.01 - y * 0.02) / (0.02^2 + x^2 + y^2)}')
expect_near "$(last_of w first.csv)" "$w" 1e-6
expect_near "$(last_of vx first.csv)" "$(awk -v w="$w" 'BEGIN {print 0.02 + w * -0.01}')" 1e-6

# a path: a disc head on moves by the distance less the gap, then the tip leaves
expect_exit 0 "$bristle" run path.yaml -o out.csv --json
expect_stdout '"kind": "tip sticks".*"kind": "tip breaks away"'
[ "$(rows out.csv)" -eq 201 ] || fail "201 rows expected"
expect_near "$(last_of x out.csv)" 0.1 1e-9
[ "$(last_of mode out.csv)" = stick ] || fail "the disc rests at the end"

# the path in the scenario itself: the same table, to the last digit
sed 's/path: tip.csv/points: [[0, -0.065, 0], [1, -0.055, 0], [2, 0.045, 0], [3, -0.1, 0]]/' path.yaml >points.yaml
expect_exit 0 "$bristle" run points.yaml -o points.csv
cmp out.csv points.csv || fail "points and a file with the same path differ"

# most NAME FILE: the largest value of a column without its sign
most_of() {
    awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i; next}
        {x = $c < 0 ? -$c : $c; if (x > m) m = x} END {print m + 0}' "$2"
}

# expect_below VALUE LIMIT
expect_below() {
    awk -v a="$1" -v b="$2" 'BEGIN {exit !(a <= b)}' || fail "$1 is above $2"
}

# a log: HZ DURATION SHIFT FORMAT JITTER; the tip wanders over a box at 0.08 m/s at most
write_log() {
    awk -v hz="$1" -v end="$2" -v shift="$3" -v form="$4" -v jitter="$5" 'BEGIN {
        srand(3)
        print "t,x,y"
        n = int(end * hz + 0.5)
        for (i = 0; i <= n; i++) {
            t = i / hz
            if (i > 0 && i < n) t += jitter * (rand() - 0.5) / hz
            printf form ",%.9f,%.9f\n", t + shift, -0.065 + 0.04 * t + 0.01 * sin(t), 0.01 + 0.02 * sin(3 * t)
        }}' >log.csv
}

# a log whose rows and the steps coincide but for rounding is as good as any other: speeds are those
# of the tip (a box of 0.1 m that turns about a far point: 0.08 m/s, 0.08/0.05 rad/s), and the modes
# change as often as those of a fine log (10 times in 7 s, and at corners of a coarse one's polygon)
sed 's/shape: disc, radius: 0.05/shape: rectangle, size: [0.1, 0.1]/; s/tip.csv/log.csv/' path.yaml >log.yaml
for log in '10 7 0 %.17g 0' '20 7 0 %.17g 0' '30 7 0 %.17g 0' '1000/3 2.7 0 %.17g 0' '10 7 0 %.2f 0' \
    '20 2.7 0.1 %.17g 0' '1000/3 3 0.35 %.17g 0' '30 7 0.1 %.6f 0' '30 7 0 %.6f 0.8' '30 7 0 %.2f 0.8' \
    '30 2.7 0.35 %.2f 0.8'; do
    set -- $log
    write_log "$(awk "BEGIN {printf \"%.17g\", $1}")" "${@:2}"
    expect_exit 0 "$bristle" run log.yaml --json -o out.csv
    expect_quiet
    for column in vx:0.08 vy:0.08 w:1.6 sigma:0.08; do
        expect_below "$(most_of "${column%:*}" out.csv)" "${column#*:}"
    done
    expect_below "$(grep -o '"kind": "tip' "$logs/out" | wc -l)" 13
done

# a tip that starts inside, up to its radius, drives the disc out, which is reported and is no speed
expect_exit 0 "$bristle" run path.yaml --set 'slider.pose=[-0.012, 0, 0]' -o out.csv
expect_stderr 'path.yaml:2: pusher.path: the tip starts inside the slider, by 0.002 m; the first step drives'
expect_near "$(last_of x out.csv)" 0.1 1e-9
expect_below "$(most_of vx out.csv)" 0.1000001
expect_exit 0 "$bristle" run path.yaml --set 'slider.pose=[-0.01495, 0, 0]'
refuse_deep='starts inside the slider, by 0.00505 m; up to the tip.s radius, 0.005 m, is allowed'
expect_refused "pusher.path: $refuse_deep" "$bristle" run path.yaml --set 'slider.pose=[-0.01505, 0, 0]'
expect_refused 'a thousandth of the slider.s size, 5e-05 m' "$bristle" run path.yaml --set pusher.radius=0 \
    --set 'slider.pose=[-0.02, 0, 0]'

# check, and pictures of each kind
expect_exit 0 "$bristle" check free.yaml
expect_stdout 'ok: slider, 0.45 s, 46 rows'
if command -v gnuplot >/dev/null; then
    for case in free:png push:svg quasi:pdf path:png; do
        expect_exit 0 "$bristle" run "${case%:*}.yaml" -q -o out.csv --plot "${case%:*}.${case#*:}"
        expect_quiet
        [ -s "${case%:*}.${case#*:}" ] || fail "no picture"
    done
fi

# bad input names the key
refuse() { # KEY FILE SETTING...
    local key=$1 file=$2 set=()
    shift 2
    for s in "$@"; do set+=(--set "$s"); done
    expect_refused "$key: " "$bristle" run "$file" "${set[@]}"
}
refuse 'slider\.mass' free.yaml slider.mass=-0.5
refuse 'slider\.inertia' free.yaml slider.inertia=0
refuse 'slider\.height' free.yaml slider.height=-0.1
refuse 'slider\.mu' free.yaml slider.mu=-0.1
refuse 'slider\.e\[2\]' free.yaml 'slider.e=[1, 1, 0]'
refuse 'slider\.e\[0\]' free.yaml 'slider.e=[-1, 1, 0.01]'
refuse 'slider\.e' free.yaml 'slider.e=[1, 1]'
refuse 'slider\.gravity' free.yaml slider.gravity=0
refuse 'slider\.topple' free.yaml slider.topple=maybe
refuse 'slider\.surface' free.yaml slider.surface=exact
refuse 'slider\.patch\.size\[0\]|slider\.patch\.size' free.yaml 'slider.patch.size=[0, 0.05]'
refuse 'slider\.patch' from_patch.yaml 'slider.patch={shape: points, points: [[0, 0, 1]]}'
refuse 'slider\.wheels' free.yaml slider.wheels=4
refuse 'step' free.yaml step=0
refuse 'step' free.yaml step=1
refuse 'duration' free.yaml duration=-1
refuse 'output\.every' free.yaml output.every=0.015
refuse 'model' free.yaml model=quartic
refuse 'model' free.yaml model=quasistatic
refuse 'slider\.velocity\[2\]' free.yaml model=translation
refuse 'pusher' free.yaml 'pusher={point: [0, 0], velocity: [1, 0]}'
refuse 'push\.direction' push.yaml 'push.direction=[0, 0]'
refuse 'push\.height' push.yaml push.height=-1
refuse 'slider\.e' quasi.yaml 'slider.e=[1, 2, 0.02]'
refuse 'pusher\.point' quasi.yaml 'slider.patch={shape: disc, radius: 0.01}'
refuse 'slider\.surface' quasi.yaml slider.surface=exact
refuse pusher quasi.yaml pusher={}
refuse 'pusher\.path' path.yaml 'slider.pose=[0, 0.5, 0]'
refuse 'pusher\.path' path.yaml 'slider.pose=[-0.05, 0, 0]'
refuse 'pusher\.mu' path.yaml pusher.mu=-1
refuse 'pusher\.radius' path.yaml pusher.radius=-1
refuse 'slider\.outline' path.yaml 'slider.outline={shape: line, length: 0.1}'
refuse 'pusher' path.yaml 'slider.patch={shape: line, length: 0.1}'
refuse 'slider\.outline\.vertices' path.yaml \
    'slider.outline={shape: polygon, vertices: [[0, 0], [1, 1], [2, 2]]}'
printf 't,x,y\n0,-0.065,0\n' >tip.csv
refuse 'pusher\.path' path.yaml
refuse 'pusher\.points' points.yaml 'pusher.points=[[0, -0.065, 0]]'
refuse 'pusher\.points\[1\]' points.yaml 'pusher.points=[[1, -0.065, 0], [1, 0, 0]]'

# supports: one push on the whole face, as contact point and on three feet. Oracles: docs/explanation/sliders.md, the unit test
cat >face.yaml <<'END'
slider: {mass: 0.5, inertia: 2.0833333333333335e-4, height: 0.05, mu: 0.31, gravity: 9.8,
         patch: {shape: rectangle, size: [0.05, 0.05]}}
push: {point: [-0.025, -0.006], direction: [1, 0],
       magnitude: {kind: table, times: [0, 0.25, 0.2500001, 1], values: [2.5, 2.5, 0, 0]}}
model: supports
step: 0.002
duration: 0.6
END
expect_exit 0 "$bristle" run face.yaml
expect_quiet
[ "$(last_of mode "$logs/out")" = stick ] || fail "a block on its face does not topple"
expect_near "$(last_of theta "$logs/out")" 3.309 0.01 # 441 cells; 2 ms
expect_exit 0 "$bristle" run face.yaml --set model=quadratic
expect_near "$(last_of theta "$logs/out")" 1.719 0.01
feet='slider.patch={shape: points, points: [[0.025, 0, 1], [-0.025, 0.025, 1], [-0.025, -0.025, 1]]}'
expect_exit 0 "$bristle" run face.yaml --set "$feet"
grep -q 't = 0.262 s: the slider topples' "$logs/err" || fail "three feet should topple"
[ "$(last_of mode "$logs/out")" = topple ] || fail "three feet should topple"
sed '/patch:/d; s/9.8,/9.8}/' face.yaml >bare.yaml
expect_refused 'slider: needs a patch for model: supports' "$bristle" run bare.yaml
expect_refused 'slider.patch: is a point or a line' "$bristle" run face.yaml --set 'slider.patch={shape: line, length: 0.05}'

done_well
