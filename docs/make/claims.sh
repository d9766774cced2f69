#!/bin/sh
# What the papers claim in words, with our numbers: claims.sh BRISTLE EXAMPLES SCENARIOS REPORT, the command, the folder
# of built examples, that of the scenarios, and the report of `bristle reproduce all`. Prints Markdown: a heading for
# each claim with its paper, a line "Result: ...", the numbers; reproduction.py reads it.
set -eu
bristle=$1 examples=$2 scenarios=$3 report=$4

# ours PATTERN, reference PATTERN: that column of the row of the report that begins so
column() {
    awk -F' *[|] *' -v what="$1" -v column="$2" '
        index($2, what) == 1 { printf "%.3g", $column; found = 1; exit }
        END { exit !found }' "$report"
}
ours() { column "$1" 6; }
reference() { column "$1" 5; }
line='LineGrad, limit surface: third quartile of the error of f'

# turned FILE OPTIONS...: how far a slider turns until it stops, or when it topples
turned() {
    file=$1
    shift
    "$bristle" run "$scenarios/$file" --json -q "$@" 2>/dev/null | sed -n '
        s/.*"t": \([0-9.]*\), "kind": "topple".*/topples at \1 s/p; t
        s/.*"final": {[^}]*"theta": \([-0-9.e]*\),.*/\1/p' |
        awk '/topples/ { printf "topples at %.2f s", $3; exit } { printf "%.0f degrees", $1 * 180 / 3.14159265358979 }'
}

# falling COLUMN OPTIONS...: the largest number of that column while k = 2 f_N falls, until f_N = 0.03 N
falling() {
    column=$1
    shift
    "$bristle" run "$scenarios/wk/k2fn_falling.yaml" -q --set duration=0.494 --set output.every=0.002 "$@" 2>/dev/null |
        awk -F, -v name="$column" '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
            { size = $at < 0 ? -$at : $at; most = size > most ? size : most }
            END { printf "%.2g", most; exit !(at && NR > 200) }'
}
published='contact.surface.method=published'
end=$("$bristle" run "$scenarios/wk/k2fn_falling.yaml" -q --set "$published" 2>&1 >/dev/null |
    sed -n 's/.*step size fell below .* at t = \([0-9.]*\) s$/\1/p')

edges='slider.patch={shape: points, points: [[0.025, 0, 1], [-0.025, 0.025, 1], [-0.025, -0.025, 1]]}'
back='slider.patch={shape: points, points: [[-0.025, 0, 1], [0.025, 0.025, 1], [0.025, -0.025, 1]]}'

cat <<END_OF_TEXT
### The reduced model is about 80 times cheaper (W&K, abstract, VI-D)

Result: it is for plain code ($(ours 'reduced over distributed at N = 21, our plain code') times), but not for vector code ($(ours 'reduced over distributed at N = 21, our fast code') times) or for whole runs ($(ours 'distributed over reduced, circle') times).

One evaluation at 21 x 21 cells costs
$(ours 'reduced over distributed at N = 21, our plain code') times less than a plain loop over the cells and
$(ours 'reduced over distributed at N = 21, our fast code') times less than our vector code; 2 s of slip-stick take
$(ours 'distributed over reduced, circle') times less with the circle (printed: 63), $(ours 'distributed over reduced, k = 2 [') times with k = 2,
$(ours 'distributed over reduced, k = 2 f_N') times with k = 2 f_N. So the claim is one about the code of the distributed
model: with cells in vectors, and an integrator that knows their structure, little of it is left.

### The gradient line's error in Fig 22 is the steps of its cells (W&K, VI-A)

Result: it is.

With the line itself the third quartile of the force
error is $(ours "$line") N, with 21 cells $(reference "$line") N.

### The reduced model takes pressures that change with the force, k = 2 f_N in (44) (W&K, VI-C)

Result: as published it fails when the force falls to 0; with our rule it does not.

A body is turned, released, and its normal force falls from 2 N to 0 in 0.4 s (\`scenarios/wk/k2fn_falling.yaml\`). The load
gives $(falling work_loads --set "$published") J. With the published rule, which keeps z, the bristles store $(falling stored --set "$published") J when f_N is 0.03 N, and no step is small
enough from f_N = $(awk "BEGIN {printf \"%.2g\", (0.5 - $end) * 5}") N on: the run ends with an error. With our rule, which keeps the angle z/u, they store $(falling stored) J at most and the
balance of energy is off by $(falling residual) J. Figs 34 and 35 do not show this: their f_N is 0.82 N to 2.64 N, and there \`--as-published\` agrees
with the authors' code.

### Three support points mislead (X&C, introduction)

Result: they do.

One push of a block of 50 mm ([sliders](../explanation/sliders.md)), CoM in the plane and 50 mm above it:

| contact | 0 mm | 50 mm |
|---|---|---|
| whole face, 441 cells | $(turned slider_supports.yaml --set slider.height=0) | $(turned slider_supports.yaml) |
| equivalent contact point | $(turned slider_supports.yaml --set slider.height=0 --set model=quadratic) | $(turned slider_supports.yaml --set model=quadratic) |
| three feet at the edges | $(turned slider_three_supports.yaml --set slider.height=0 --set "$edges") | $(turned slider_three_supports.yaml --set "$edges") |
| the same, turned by half | $(turned slider_three_supports.yaml --set slider.height=0 --set "$back") | $(turned slider_three_supports.yaml --set "$back") |

But the contact point is not the face either: its ellipsoid is too round for a square.

### With Lagrange's multipliers results depend on the step, as the normal force is recursive (H+, VI)

Result: not as claimed; they converge, too, but only with order 1.

Results with the normal force of the step before converge as steps shrink, but with order 1, whatever the method. With the closed form
they have the method's order. \`examples/normal_force_steps.c\` on their arm, mu = 0.3, 0.3 s of sliding:

\`\`\`
$("$examples"/example-normal_force_steps)
\`\`\`

END_OF_TEXT
