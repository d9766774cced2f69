#!/bin/bash
# W&K's Fig 5 through the command, with its default integrator, against the stored results of the
# published code: one surface, one law, every model that has a column there.
wk=$(cd "$(dirname "$0")/../golden/wk" && pwd)
. "$(dirname "$0")/lib.sh"

cells=$(awk -F, '!/^#/ && $1 != "ix" {cell[$1, $2] = $3}
    END {for (y = 0; y < 21; y++) {
            row = ""
            for (x = 0; x < 21; x++) row = row (x ? ", " : "") (cell[x, y] + 0 ? cell[x, y] : 0)
            printf "%s[%s]", y ? ", " : "", row}}' "$wk/surface_NonConvex1.csv")
cat >wk.yaml <<END
friction: {mu_c: 1, mu_s: 1, v_s: 1e-3, sigma0: 1e6, sigma1: 800, sigma2: 0, s_ba: 0.9}
contact:
  patch: {shape: grid, size: [0.02, 0.02], cells: [$cells]}
  surface: {method: published}
  guard: false
motion: {file: v.csv}
output: {every: 0.2}
END
cat >v.csv <<'END'
t,vx,vy,w
0,0,0,0
0.6,0,0,1
0.8,0,0,1
1.4,0.015,0,1
1.6,0.015,0,1
2.2,0,0,1
2.4,0,0,1
2.7,0,0.006,1
3.4,0,0.006,1
4,0,0.006,0
4.3,0,0.006,0
4.6,0,0,0
5,0,0,0
END

# 1e-5 N, and 1e-5 of the largest torque, as the library's own tests ask for
compare() {
    grep -v '^#' "$wk/vel_cont_NonConvex1_p0_ep.csv" >"$logs/golden"
    awk -F, -v suffix="$1" '
        FNR == 1 && NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
        FNR == 1 {next}
        NR == FNR {
            fx[FNR] = $at["fx_" suffix]; fy[FNR] = $at["fy_" suffix]; tau[FNR] = $at["tau_" suffix]
            next}
        {
            rows++
            wrong += ($5 - fx[FNR]) ^ 2 > 1e-5 ^ 2 || ($6 - fy[FNR]) ^ 2 > 1e-5 ^ 2
            wrong += ($7 - tau[FNR]) ^ 2 > (1e-5 * 6e-3) ^ 2}
        END {print rows, "rows,", wrong + 0, "wrong"; exit !(rows == 26 && !wrong)}' \
        "$logs/golden" "$logs/out" || fail "the columns of $1 differ"
}

for model in distributed reduced ellipsoid; do
    expect_exit 0 "$bristle" run wk.yaml --set model=$model
    compare ${model:0:1}
done
done_well
