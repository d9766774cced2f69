#!/bin/bash
# Friction cones. Oracle: closed forms, and hand.
. "$(dirname "$0")/lib.sh"

# rows NAME EXPRESSION: awk's expression holds in all rows of the last table, and there are NAME rows
rows() {
    awk -F, -v want="$1" 'function near(a, b) {return (a - b) ^ 2 < 1e-24}
        NR > 1 {n++; if (!('"$2"')) bad++} END {exit !(n == want && !bad)}' "$logs/out" ||
        fail "not $1 rows with $2"
}

# the square pyramid: four faces of length 1 through the origin, four rays on the cone
expect_exit 0 "$bristle" cone --mu 0.5 --faces 4 --approx inner --print h
expect_stdout '^ax,ay,az,b$'
rows 4 'near($1 * $1 + $2 * $2 + $3 * $3, 1) && near($4, 0) && near($3, -1 / 3)'
expect_exit 0 "$bristle" cone --mu 0.5 --faces 4 --print v
expect_stdout '^x,y,z$'
expect_stdout '^0\.5,0,1$'
rows 4 'near($1 * $1 + $2 * $2, 0.25) && near($3, 1)'
expect_exit 0 "$bristle" cone --mu 0.5 --faces 3 --approx outer --print v
rows 3 'near($1 * $1 + $2 * $2, 1) && near($3, 1)'

# any normal, of any length; caps
expect_exit 0 "$bristle" cone --mu 0.5 --normal 0,-3,0 --faces 6 --fmin 1 --fmax 2 --print v
rows 12 'near($2, NR <= 7 ? -1 : -2) && near($1 * $1 + $3 * $3, $2 * $2 / 4)'
expect_exit 0 "$bristle" cone --mu 0.5 --normal 0,-3,0 --faces 6 --fmin 1 --fmax 2 --print h
rows 8 'NR <= 7 ? near($4, 0) : NR == 8 ? near($2, -1) && near($4, 2) : near($2, 1) && near($4, -1)'
expect_exit 0 "$bristle" cone --mu 0.5 --faces 5 --fmax 2 --print v
rows 6 'NR == 2 ? near($3, 0) : near($3, 2)'
expect_exit 0 "$bristle" cone --mu 0.5 --faces 5 --fmin 0 --fmax 2 --print v
expect_quiet
rows 10 'near($3, NR <= 6 ? 0 : 2)'
expect_exit 0 "$bristle" cone --mu 0.5 --faces 5 --fmin 2 --print v
expect_stderr 'warning: --fmin: rays cannot show it'
rows 5 'near($3, 1)'

# inside, at the boundary, between inner polyhedron and cone, pulling; beyond a cap, which the cone alone
# does not have
printf 'fy,fx,fz\n0,0,2\n0,1,2\n0.6,0.6,2\n0,0,-1\n0,0,9\n' >f.csv
expect_exit 0 "$bristle" cone --mu 0.5 --faces 4 --check f.csv --fmax 5
expect_stdout '^fx,fy,fz,soc,polyhedron,margin$'
rows 5 'NR == 2 ? $4 == 1 && $5 == 1 && near($6, 1) : NR == 3 ? $4 == 1 && near($6, 0) : \
    NR == 4 || NR == 6 ? $4 == 1 && $5 == 0 : $4 == 0 && $5 == 0'
expect_exit 0 "$bristle" cone --mu 0.5 --faces 4 --approx outer --check f.csv
rows 5 'NR <= 4 || NR == 6 ? $4 == 1 && $5 == 1 : $4 == 0 && $5 == 0'
expect_exit 0 "$bristle" cone --mu 1 --project f.csv
expect_stdout '^fx,fy,fz,px,py,pz,distance$'
rows 5 'near($7, NR == 5 ? 1 : 0)'
printf 'fx,fy,fz\n2,0,0\n' >side.csv
expect_exit 0 "$bristle" cone --mu 1 --project side.csv
rows 1 'near($4, 1) && near($6, 1) && near($7, sqrt(2))'

# the boundary counts as inside, in spite of rounding: what is printed or projected is inside
printf 'fx,fy,fz\n29,0,100\n0,-29,100\n' >f29.csv
expect_exit 0 "$bristle" cone --mu 0.29 --check f29.csv
rows 2 '$4 == 1 && $5 == 1 && $6 < 0'
awk 'BEGIN {srand(3); print "fx,fy,fz"; for (i = 0; i < 500; i++) print rand() - 0.5 "," rand() - 0.5 "," rand()}' >many.csv
expect_exit 0 "$bristle" cone --mu 0.4 --normal .3,-.5,.2 --project many.csv
awk -F, 'NR == 1 {print "fx,fy,fz"} NR > 1 {print $4 "," $5 "," $6}' "$logs/out" >projected.csv
expect_exit 0 "$bristle" cone --mu 0.4 --normal .3,-.5,.2 --check projected.csv
rows 500 '$4 == 1'
for side in inner outer; do
    expect_exit 0 "$bristle" cone --mu 0.31 --normal 1,2,3 --faces 7 --approx $side --fmin 0.7 --fmax 3.3 --print v
    sed 's/^x,y,z/fx,fy,fz/' "$logs/out" >vertices.csv
    expect_exit 0 "$bristle" cone --mu 0.31 --normal 1,2,3 --faces 7 --approx $side --fmin 0.7 --fmax 3.3 \
        --check vertices.csv
    rows 14 '$5 == 1'
done
rm f29.csv many.csv projected.csv vertices.csv

# a summary
expect_exit 0 "$bristle" cone --mu 0.5 --faces 8 --json --print h -o h.csv
expect_stdout '"faces": 8, "approx": "inner", "rho": 0.5, "error": \{"area": 0\.0996'
expect_files f.csv side.csv h.csv
expect_exit 0 "$bristle" cone --mu 0.5 --print h -o h.csv
expect_stdout '^polyhedron  4 faces, inner: area off by 0\.363'
expect_stdout '^h.csv: 4 rows$'

# the wrenches of a patch: free pressure gives Caron's 16 rows and 16 rays
printf 'shape: rectangle\nsize: [0.2, 0.1]\n' >sole.yaml
sole=(--mu 0.7 --patch-wrench sole.yaml)
expect_exit 0 "$bristle" cone "${sole[@]}" --pressure free --approx outer --print h
expect_stdout '^ax,ay,az,atx,aty,atz,b$'
rows 16 'near($1^2 + $2^2 + $3^2 + $4^2 + $5^2 + $6^2, 1) && $7 == 0 && $3 < 0'
expect_exit 0 "$bristle" cone "${sole[@]}" --pressure free --approx outer --print v
rows 16 'near($1^2, 0.49) && near($2^2, 0.49) && near($3, 1) && near($4^2, 0.0025) && near($5^2, 0.01)'
printf 'fx,fy,fz,tx,ty,tz\n0,0,1,0,0,0\n0,0,1,0.06,0,0\n' >w6.csv
expect_exit 0 "$bristle" cone "${sole[@]}" --pressure free --check w6.csv
rows 2 'NR == 2 ? $7 == 1 && $8 > 0 : $7 == 0 && $8 < 0'

# given pressure: the limit surface, |f| <= mu fn, and its error
expect_exit 0 "$bristle" cone "${sole[@]}" --fn 10 --print v
expect_stdout '^fx,fy,tau$'
rows 64 '$1 * $1 + $2 * $2 <= 49 + 1e-9'
expect_exit 0 "$bristle" cone "${sole[@]}" --approx outer --print h --set size=[0.4,0.2]
expect_stdout '^ax,ay,at,b$'
printf 'fx,fy,tau\n6.9,0,0\n7.1,0,0\n' >w3.csv
expect_exit 0 "$bristle" cone "${sole[@]}" --fn 10 --check w3.csv
rows 2 'NR == 2 ? $4 == 1 && near($6, 6.9 / 7) : $4 == 0 && $5 == 0'
expect_exit 0 "$bristle" cone "${sole[@]}" --fn 3 --faces 7 --print v # odd ones are one more
cp "$logs/out" vertices.csv
expect_exit 0 "$bristle" cone "${sole[@]}" --fn 3 --faces 7 --check vertices.csv
rows 8 '$4 == 1 && $5 == 1'
expect_exit 0 "$bristle" cone "${sole[@]}" --faces 256 --json
expect_stdout '"vertices": 256, .*"error": 0\.01'

# pictures
if command -v gnuplot >/dev/null; then
    expect_exit 0 "$bristle" cone --mu 0.5 --faces 8 --plot cone.png
    expect_quiet
    expect_exit 0 "$bristle" cone "${sole[@]}" --plot sole.svg
    head -c 8 cone.png | od -An -c | grep -q 'P   N   G' || fail "cone.png is not a PNG"
    grep -q '</svg>' sole.svg || fail "sole.svg is not an SVG file"
fi

# errors name the option
expect_refused '--mu is missing' "$bristle" cone --print h
expect_refused '--mu 0: must be a number > 0' "$bristle" cone --mu 0 --print h
expect_refused '--mu -1: must be a number > 0' "$bristle" cone --mu -1 --print h
expect_refused '--mu much: must be' "$bristle" cone --mu much --print h
expect_refused '--normal: must be finite and not 0' "$bristle" cone --mu 1 --normal 0,0,0 --print h
for bad in 1,2 1,2,3,4 a,b,c 1,,2; do
    expect_refused '--normal .*: must be three numbers X,Y,Z' "$bristle" cone --mu 1 --normal "$bad" --print h
done
for bad in 2 3.5 -4 many 1e7; do
    expect_refused "--faces $bad: must be a whole number from 3" "$bristle" cone --mu 1 --faces $bad --print h
done
expect_refused '--approx iner: must be one of inner, outer; did you mean inner' \
    "$bristle" cone --mu 1 --approx iner --print h
expect_refused '--fmax 1: must be at least --fmin, 2' "$bristle" cone --mu 1 --fmin 2 --fmax 1 --print h
expect_refused '--fmax 0: must be a number > 0' "$bristle" cone --mu 1 --fmax 0 --print h
expect_refused '--fmin few: must be a number' "$bristle" cone --mu 1 --fmin few --print h
expect_refused '--print x: must be one of h, v' "$bristle" cone --mu 1 --print x
expect_refused 'one of --print, --check, --project' "$bristle" cone --mu 1
expect_refused 'only one of --print' "$bristle" cone --mu 1 --print h --check f.csv
expect_refused '--project: .*--fmax does not apply' "$bristle" cone --mu 1 --project f.csv --fmax 1
expect_refused '-o x.csv: needs' "$bristle" cone --mu 1 --json -o x.csv
expect_refused '--fn: needs --patch-wrench' "$bristle" cone --mu 1 --print h --fn 3
expect_refused '--normal: does not apply' "$bristle" cone "${sole[@]}" --print h --normal 0,0,1
expect_refused '--pressure some: must be one of given, free' "$bristle" cone "${sole[@]}" --pressure some --print h
expect_refused '--faces 4: must be a whole number from 6 to 2048' "$bristle" cone "${sole[@]}" --faces 4 --print h
expect_refused '--fn 0: must be > 0' "$bristle" cone "${sole[@]}" --fn 0 --print h
printf 'shape: disc\nradius: 0.01\n' >disc.yaml
expect_refused 'disc.yaml.*needs corners.*disc' "$bristle" cone --mu 1 --patch-wrench disc.yaml --pressure free --print h
printf 'shape: points\npoints: [[0, 0, 1]]\n' >point.yaml
expect_refused 'point.yaml: must have a torque' "$bristle" cone --mu 1 --patch-wrench point.yaml --print h
expect_refused 'f.csv: is an input' "$bristle" cone --mu 1 --check f.csv -o f.csv
printf 'fx,fy\n1,2\n' >short.csv
expect_refused 'short.csv:1: .*fz' "$bristle" cone --mu 1 --check short.csv
done_well
