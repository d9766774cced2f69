#!/bin/bash
# One instant of a constrained system: every key, both forms, bad input.
. "$(dirname "$0")/lib.sh"

# Oracle: closed form, (37)-(40) of Huang et al.: a block on the floor
cat >block.yaml <<'END'
M: [[2, 0], [0, 2]]
Q: [3, -19.6]
A: [[0, 1]]
b: [0]
J: [[1, 0], [0, 1]]
qd: [0.1, 0]
mu: 0.3
mu_s: 0.4
END
expect_exit 0 "$bristle" constrained block.yaml
expect_quiet
expect_stdout '^F_n +0 19\.6$'
expect_stdout '^F_c +-5\.88 0$'
expect_stdout '^stick_paper +true$'
expect_stdout '^F_s_paper +-3 0$'
grep -q N_coupled "$logs/out" && fail "there is no normal"
grep -q Q_nid "$logs/out" && fail "there is no C"
expect_exit 0 "$bristle" check block.yaml
expect_stdout 'ok: constrained system, n = 2, m = 1'

# the keys of the contract, and no others missing
sed 's/$/ /' >wanted <<'END'
Q_id lambda qdd_ideal Q_nid qdd_with_C Q_p Q_t F_n F_t F_c Q_c stick_paper F_s_paper Q_s_paper
N_frictionless N_coupled F_c_coupled qdd_coupled stick painleve_margin
END
expect_exit 0 "$bristle" constrained block.yaml --json --set 'normal=[0, 1]' --set 'C=[1, 0]'
expect_quiet
for key in $(cat wanted); do
    expect_stdout "\"$key\": "
done
expect_stdout '"stick": true'
expect_stdout '"qdd_coupled": \[-1\.4[34]'
expect_stdout '"painleve_margin": 1[,}]'
expect_exit 0 "$bristle" constrained block.yaml --json --set 'normal=[0, 1]' --set 'Q=[9, -19.6]'
expect_stdout '"stick": false'

# dependent constraints are fine, contradictory ones are not
expect_exit 0 "$bristle" constrained block.yaml --set 'A=[[0, 1], [0, 2]]' --set 'b=[1, 2]'
expect_stdout '^rank +1$'
expect_refused 'b: is inconsistent with A' "$bristle" constrained block.yaml \
    --set 'A=[[0, 1], [0, 2]]' --set 'b=[1, 3]'

# Oracle: invariant. A constraint given twice, in whatever units, means the same
expect_exit 0 "$bristle" constrained block.yaml --set 'normal=[0, 1]'
grep -E '^(N_|F_c_|qdd_coupled|stick |static|painleve)' "$logs/out" >once
for row in 1 2; do
    expect_exit 0 "$bristle" constrained block.yaml --set 'normal=[0, 1]' --set "A=[[0, 1], [0, $row]]" --set 'b=[0, 0]'
    grep -E '^(N_|F_c_|qdd_coupled|stick |static|painleve)' "$logs/out" | diff - once || fail "[0, $row] changes the contact"
done

# results that overflow are none
expect_exit 1 "$bristle" constrained block.yaml --json --set 'Q=[1e300, -1e300]'
expect_stderr '^bristle: block.yaml: a result overflows'
[ -s "$logs/out" ] && fail "there is no result"
expect_exit 2 "$bristle" constrained block.yaml -o x.txt
expect_stderr '^bristle: unknown option -o; see: bristle help constrained'

# Oracle: closed form. Painleve's rod at tan = 2: margin 1 - 3/4 mu
cat >rod.yaml <<'END'
M: [[3, 0, 0], [0, 3, 0], [0, 0, 0.25]]
Q: [0, -29.4, 0]
A: [[0, 1, -0.22360679774997896]]
b: [0]
J: [[1, 0, 0.44721359549995793], [0, 1, -0.22360679774997896]]
qd: [1, 0, 0]
mu: 1
normal: [0, 1]
END
expect_exit 0 "$bristle" constrained rod.yaml
expect_quiet
expect_stdout '^painleve_margin 0\.25$'
expect_exit 0 "$bristle" constrained rod.yaml --set mu=1.3
expect_stderr 'warning: .*near the Painleve limit: margin 0\.025'
expect_exit 0 "$bristle" constrained rod.yaml --json --set mu=1.4
expect_stderr 'warning: .*beyond the Painleve limit'
expect_stdout '"N_coupled": null'

# bad input names the key
expect_refused 'M: must be symmetric and positive' "$bristle" constrained block.yaml --set 'M=[[1, 2], [2, 1]]'
expect_refused 'M: must be symmetric, but' "$bristle" constrained block.yaml --set 'M=[[2, 1], [0, 2]]'
expect_refused 'M\[1\]: must be a list of 2; got 1' "$bristle" constrained block.yaml --set 'M=[[2, 1], [0]]'
expect_refused 'A\[0\]: must be a list of 2; got 3' "$bristle" constrained block.yaml --set 'A=[[0, 1, 2]]'
expect_refused 'J: must have rank 1' "$bristle" constrained block.yaml --set 'J=[[0, 0], [0, 0]]'
expect_refused 'J: must be a list of 2 to 3 rows' "$bristle" constrained block.yaml --set 'J=[[1, 0]]'
expect_refused 'b: must be a list of 1; got 2' "$bristle" constrained block.yaml --set 'b=[0, 0]'
expect_refused 'mu_s: .*>= mu' "$bristle" constrained block.yaml --set mu_s=0.1
expect_refused 'normal: must have unit length' "$bristle" constrained block.yaml --set 'normal=[0, 2]'
expect_refused 'normal: no row of A' "$bristle" constrained block.yaml --set 'normal=[1, 0]'
expect_refused 'nromal: unknown key; did you mean normal' "$bristle" constrained block.yaml --set 'nromal=[0, 1]'
sed '/^Q/d' block.yaml >no_q.yaml
expect_refused 'Q: is missing' "$bristle" constrained no_q.yaml
done_well
