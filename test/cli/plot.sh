#!/bin/bash
# Pictures, with and without gnuplot.
. "$(dirname "$0")/lib.sh"
write_scenarios

expect_refused '--plot p.gif: must end with one of .png, .svg, .pdf' \
    "$bristle" run rig.yaml --plot p.gif -o a.csv
[ ! -e a.csv ] || fail "a wrong suffix should be refused before anything is computed"
expect_unwritten 'nowhere/p.png: cannot be written' "$bristle" run rig.yaml --plot nowhere/p.png

# without gnuplot: a message, the table all the same, no picture
mkdir empty
PATH=$here/empty expect_exit 1 "$bristle" run rig.yaml --plot p.png -o a.csv
expect_stderr 'gnuplot.*not installed.*gnuplot-nox'
[ -s a.csv ] || fail "the table should have been written"
expect_files rig.yaml motion.yaml v.csv empty a.csv

# a gnuplot that fails: its message is passed on
printf '#!/bin/sh\necho "gnuplot says no" >&2\nexit 1\n' >empty/gnuplot
chmod +x empty/gnuplot
PATH=$here/empty:$PATH expect_exit 1 "$bristle" run rig.yaml --plot p.png -o a.csv
expect_stderr 'gnuplot failed: gnuplot says no'
expect_files rig.yaml motion.yaml v.csv empty a.csv

# one that hangs is ended, with its output open or closed, and leaves no picture
for hang in 'exec sleep 100' 'echo half a picture; exec sleep 100' 'exec >&-; exec sleep 100'; do
    printf '#!/bin/sh\necho $$ >"%s"\n%s\n' "$logs/pid" "$hang" >empty/gnuplot
    BRISTLE_GNUPLOT_SECONDS=0.3 PATH=$here/empty:$PATH expect_exit 1 "$bristle" run rig.yaml --plot p.png -o a.csv
    expect_stderr 'gnuplot did not finish within 0.3 s and was stopped; BRISTLE_GNUPLOT_SECONDS=SECONDS gives it more'
    ! kill -0 "$(cat "$logs/pid")" 2>/dev/null || fail "gnuplot still runs"
    expect_files rig.yaml motion.yaml v.csv empty a.csv
done
BRISTLE_GNUPLOT_SECONDS=soon expect_exit 2 "$bristle" run rig.yaml --plot p.png -o a.csv
expect_stderr 'BRISTLE_GNUPLOT_SECONDS=soon: must be a number > 0'

# what gnuplot is given: one that keeps its script instead of drawing
mkdir keeps
printf '#!/bin/sh\ncat >"%s"\necho a picture\n' "$logs/script" >keeps/gnuplot
chmod +x keeps/gnuplot
script_of() { # OPTION...: the script of a picture
    PATH=$here/keeps:$PATH expect_exit 0 "$bristle" run "$@" -q -o a.csv --plot p.svg
}
expect_script() { # TEXT: somewhere in it
    grep -qF -- "$1" "$logs/script" || fail "the script has no: $1"
}

# a title has no folder; it can be given, and quotes in it are safe
mkdir folder
cp rig.yaml v.csv folder
script_of folder/rig.yaml
expect_script "title 'rig: law + rig, lugre'"
! grep -q folder "$logs/script" || fail "a folder is in the script"
script_of rig.yaml --set "plot.title=the rig's 1st run"
expect_script "title \"the rig's 1st run\""
script_of rig.yaml --set "plot.title=$(printf 'word %.0s' {1..30})"
expect_script " font ',7'"
expect_refused 'plot.titel: unknown key; did you mean title' "$bristle" run rig.yaml --set plot.titel=x
expect_refused 'plot.title: must be' "$bristle" run rig.yaml --set 'plot.title=[1]'
expect_refused 'plot.kind: unknown key' "$bristle" run rig.yaml --set plot.kind=scene

# small numbers get a prefix, numbers at hand none
script_of rig.yaml
expect_script "set ylabel 'x [µm]'"
script_of rig.yaml --set rig.pull=10
expect_script "set ylabel 'x [m]'"
script_of rig.yaml --set duration=1e-3 --set output.every=1e-5
expect_script "set xlabel 't [ms]'"
expect_script "set xrange [0:1]"
# what is zero but for rounding is drawn as zero
script_of rig.yaml --set rig.pull=1e-15
expect_script "set ylabel 'x [m]'"
expect_script 'set yrange [-1:1]'

# rounding noise is drawn flat at 0: a box that slides straight turns by 1e-11 rad, and its torque is 1e-11 N m
cat >slope.yaml <<'END'
body: {mass: 0.5, size: [0.06, 0.04]}
gravity: [0, -3.35522]
friction: {mu: 0.4}
contact: {frame: body, patch: {shape: rectangle, size: [0.06, 0.04]}}
loads: [{fx: {kind: steps, times: [0, 1, 1.3], values: [0, 1.5, 0]}}]
duration: 2.5
END
panels_are() { # LABEL...: those of the script, from top to bottom
    local got wanted
    got=$(sed -n "s/^set ylabel '\(.*\)'/\1/p" "$logs/script" | tr '\n' ';')
    wanted=$(printf '%s;' "$@")
    [ "$got" = "$wanted" ] || fail "panels are: $got; expected: $wanted"
}
script_of slope.yaml --set plot.panels=all
panels_are 'position [m]' 'angle [rad]' 'v [m/s]' 'spin [rad/s]' 'force [N]' 'torque [N m]' 'normal [N]'
[ "$(grep -c 'set yrange \[-1:1\]' "$logs/script")" -eq 3 ] || fail "angle, spin and torque should be flat at 0"

# what is constant is a line of text instead of a panel
script_of slope.yaml
panels_are 'position [m]' 'v [m/s]' 'force [N]'
expect_script "'constant: theta = 0 rad, w = 0 rad/s, tau = 0 N m, fn = 4.609 N'"
! grep -q 'plot.panels=all' "$logs/script" || fail "nothing else varies"

# a line that is longer than the picture is wide continues below it
cat >feet.yaml <<'END'
body: {mass: 1, size: [0.2, 0.2], velocity: [0.1, 0, 0]}
friction: {mu: 0.4}
contacts:
  - {frame: body, at: [0.09, 0.09], patch: {shape: disc, radius: 0.005}}
  - {frame: body, at: [-0.09, 0.09], patch: {shape: disc, radius: 0.005}}
  - {frame: body, at: [-0.09, -0.09], patch: {shape: disc, radius: 0.005}}
  - {frame: body, at: [0.02, -0.09], patch: {shape: disc, radius: 0.005}}
duration: 0.1
END
script_of feet.yaml
expect_script ", tau4 = 0 N m, fn1 = 3.147 N, '"
expect_script "'fn2 = 1.758 N, fn3 = 2.028 N, fn4 = 2.877 N'"
rm feet.yaml

# at most six: pose and forces, then what is requested; the rest is named
script_of slope.yaml --set body.velocity='[0.1, 0, 5]' --set output.energy=true
panels_are 'position [m]' 'angle [rad]' 'v [m/s]' 'spin [rad/s]' 'force [N]' 'energy [J]'
expect_script "'plot.panels=all shows also: torque, work, residual'"
script_of slope.yaml --set body.velocity='[0.1, 0, 5]' --set output.energy=true --set plot.panels=all
[ "$(grep -c '^set ylabel' "$logs/script")" -eq 10 ] || fail "ten panels expected"
expect_refused 'plot.panels: must be one of few, all' "$bristle" run slope.yaml --set plot.panels=12

# a body at rest: nothing varies, and six panels show it
script_of slope.yaml --set loads='[{fx: 0}]' --set gravity='[0, 0]' --set contact.normal_force=1
[ "$(grep -c '^set ylabel' "$logs/script")" -eq 6 ] || fail "six panels expected"
rm slope.yaml
rm -r folder keeps

if ! command -v gnuplot >/dev/null; then
    echo "skipped: pictures (no gnuplot)"
    done_well
fi
for scenario in rig motion; do
    expect_exit 0 "$bristle" run $scenario.yaml --plot $scenario.png -o a.csv
    expect_quiet
    [ "$(head -c 8 $scenario.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] ||
        fail "$scenario.png is not a PNG file"
    expect_exit 0 "$bristle" run $scenario.yaml --plot $scenario.svg -o a.csv
    grep -q '</svg>' $scenario.svg || fail "$scenario.svg is not an SVG file"
    expect_exit 0 "$bristle" run $scenario.yaml --plot $scenario.pdf -o a.csv
    [ "$(head -c 5 $scenario.pdf)" = %PDF- ] || fail "$scenario.pdf is not a PDF file"
done

# a full disk: exit 1, and the older picture is intact
cat >body.yaml <<'END'
body: {mass: 1, size: [0.1, 0.1], velocity: [0.2, 0, 1]}
friction: {mu_c: 0.3, mu_s: 0.3, v_s: 1e-3, sigma0: 1e5, sigma1: 100, sigma2: 0.4}
model: blocks
contact: {frame: body, patch: {shape: rectangle, size: [0.1, 0.1]}, normal_force: 9.81}
duration: 0.2
END
# expect_full OPTION FILE: the picture does not fit where FILE is
expect_full() {
    echo old >"$2"
    expect_unwritten "$2: cannot be written: No space left" "$bristle" run body.yaml -q -o /dev/null $1 "$2"
    [ "$(cat "$2")" = old ] || fail "$2 is not the old one"
    [ "$(ls -A small)" = "${2#small/}" ] || fail "small should hold $2 alone"
    rm "$2"
}
mkdir small
if mount -t tmpfs -o size=8k tmpfs small 2>/dev/null; then
    (
        for kind in png svg pdf; do
            expect_full --plot small/p.$kind
        done
        expect_full --animate small/p.gif
    )
    status=$?
    umount small
    [ $status -eq 0 ] || exit 1
else
    echo "skipped: a small disk (only root may make one)"
fi
rmdir small
for kind in png svg pdf; do
    ln -s /dev/full full.$kind
    expect_unwritten "full.$kind: cannot be written: No space left" \
        "$bristle" run body.yaml -q -o /dev/null --plot full.$kind
done
rm full.*

# quotes in a row, backquotes and backslashes are only text
titles=("''" "a''b" "ab'" "'''x'''" 'the `echo 1` of \n "it"' "the \`7\` of it's \\n \"q\"")
for title in "${titles[@]}"; do
    yaml=$(printf %s "$title" | sed 's/[\\"]/\\&/g')
    (cat rig.yaml && echo "plot: {title: \"$yaml\"}") >t.yaml
    expect_exit 0 "$bristle" run t.yaml -q -o a.csv --plot p.svg
    expect_quiet
    grep -qF "<text>$title</text>" p.svg || fail "the title is not: $title"
done
rm t.yaml p.svg

# a picture of many rows is thinned, names with quotes are fine, a table on stdout stays clean
cp rig.yaml "it's.yaml"
expect_exit 0 "$bristle" run "it's.yaml" --set output.every=1e-5 --plot "it's.svg"
[ "$(wc -l <"$logs/out")" -eq 200002 ] || fail "200001 rows expected"
[ "$(wc -c <"it's.svg")" -lt 1000000 ] || fail "the picture should be thinned"

# a constant, two rows: the first and the last
expect_exit 0 "$bristle" run rig.yaml --plot p.png --set rig.pull=0 --set output.every=10 -o a.csv
[ "$(wc -l <a.csv)" -eq 3 ] || fail "two rows expected"
# whatever the user's own settings are
printf 'set output "stolen"\n' >.gnuplot
HOME=$PWD expect_exit 0 "$bristle" run rig.yaml -o r.csv --plot own.png
[ -s own.png ] || fail "own.png should not be empty"
rm .gnuplot
done_well
