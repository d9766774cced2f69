#!/bin/bash
# Friction from mu alone, and the messages where keys are missing. Oracle: the rule as law.h and the help
# have it, computed here again; two oscillators in closed form.
. "$(dirname "$0")/lib.sh"

cat >box.yaml <<'END'
body: {mass: 0.5, size: [0.03, 0.04]}
friction: {mu: 0.3}
contact: {frame: body, normal_force: 4.905, patch: {shape: disc, radius: 0.015}}
duration: 0.1
END
cat >motion.yaml <<'END'
friction: {mu: 0.3}
contact: {patch: {shape: disc, radius: 0.015}, normal_force: 2}
motion: {vx: 0.01}
duration: 0.1
END

# printed NAME: the number after NAME in the output of check
printed() {
    sed -n "s/.*$1 \([-0-9.e+]*\).*/\1/p" "$logs/out" | head -n 1
}

# near NAME VALUE EXPECTED, to the four digits (ratios: two) that are printed
near() {
    awk -v got="$2" -v wanted="$3" -v tolerance="${4:-1e-3}" \
        'BEGIN {d = got/wanted - 1; exit !(d*d < tolerance*tolerance)}' || fail "$1: $2, expected $3"
}

# r = 2/3 R = 10 mm: 20 um; k = sigma0 fn; modes sqrt(k/m) and sqrt(k u/I), u = R^2/2, I = m/12 (25e-4)
expect_exit 0 "$bristle" check box.yaml
expect_quiet
expect_stdout 'box.yaml: ok: body'
read -r slow fast s1 <<<"$(awk 'BEGIN {
    s0 = 0.3/20e-6; k = s0*4.905; a = sqrt(k/0.5); b = sqrt(k*1.125e-4/(0.5/12*25e-4))
    T = 2/sqrt(a*b); if (T > 20e-3) T = 20e-3; print b/6.283185307, a/6.283185307, s0*T}')"
near sigma0 "$(printed sigma0)" 15000
near sigma1 "$(printed sigma1)" "$s1"
near v_damping "$(printed v_damping)" "$(awk -v s1="$s1" 'BEGIN {print 2*0.3/s1}')"
near 'slow mode' "$(printed 'vibrates at')" "$slow" 6e-3
near 'fast mode' "$(printed ', at')" "$fast" 6e-3

# twice the contacts are twice as stiff; a motion that is given has a damping time of 1 ms
expect_exit 0 "$bristle" check box.yaml --set contact.count=2
near 'two contacts' "$(printed 'vibrates at')" "$(awk -v slow="$slow" 'BEGIN {print slow*sqrt(2)}')" 6e-3
expect_exit 0 "$bristle" check motion.yaml
near 'sigma0, motion' "$(printed sigma0)" 15000
near 'sigma1, motion' "$(printed sigma1)" 15
near 'v_damping, motion' "$(printed v_damping)" 0.04

# a puck that spins fast: oracle: by symmetry it stays on its line. Constant damping, of bristles that follow late,
# drives it aside, with a warning where the rule gives it, with the damping that does not
cat >puck.yaml <<'END'
body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 200]}
friction: {mu: 0.2}
contact: {frame: body, patch: {shape: disc, radius: 0.04}}
duration: 4
END
expect_exit 0 "$bristle" run puck.yaml -o puck.csv
expect_quiet
awk -F, 'END {exit !($3*$3 < 1e-4 * $2*$2)}' puck.csv || fail "the puck leaves its line by more than 1 %"
expect_exit 0 "$bristle" run puck.yaml --set friction.v_damping=0 -o puck.csv
expect_stderr 'friction: follows the slip of a body that spins at 200 rad/s late by sigma1/sigma0 = 0.01 s, 2 rad, .*give sigma1, some 0.2 s/m'
awk -F, 'END {exit !($3 > 0.1 * $2)}' puck.csv || fail "that puck should leave its line"
expect_exit 0 "$bristle" run puck.yaml --set friction.sigma1=0.2 -o puck.csv
expect_quiet
awk -F, 'END {exit !($3*$3 < 1e-4 * $2*$2)}' puck.csv || fail "the puck leaves its line by more than 1 %"
expect_exit 0 "$bristle" check puck.yaml --set 'body.velocity=[0.5, 0, 10]'
expect_quiet

# cells of the distributed model count as points: one does not resist spin at all, with a warning; four across come near
# what they cover; a block has what is in the cell
expect_exit 0 "$bristle" run puck.yaml --set 'body.velocity=[0, 0, 1]' -o cell.csv --set model=distributed \
    --set 'contact.patch={shape: grid, size: [0.08, 0.08], cells: [[1]]}'
expect_stderr 'contact.patch: cells count as points, which bear 0 m from their centre .*, the patch 0.033 m'
awk -F, 'END {exit !($7 == 1)}' cell.csv || fail "a point should spin on"
expect_exit 0 "$bristle" run puck.yaml --set 'body.velocity=[0, 0, 1]' -o cell.csv \
    --set 'contact.patch={shape: grid, size: [0.08, 0.08], cells: [[1]]}'
expect_quiet
awk -F, 'END {exit !($7 == 0 || $7*$7 < 1e-12)}' cell.csv || fail "a block should not spin on"
expect_exit 0 "$bristle" check box.yaml --set model=distributed --set contact.patch.resolution=3
expect_quiet
expect_exit 0 "$bristle" check box.yaml --set model=distributed \
    --set 'contact.patch={shape: grid, size: [0.08, 0.08], cells: [[1,1,1,1],[1,1,1,1],[1,1,1,1],[1,1,1,1]]}'
expect_quiet

# what is given counts, the rest follows from it
expect_exit 0 "$bristle" check box.yaml --set friction.sigma0=1e5
near 'sigma0, given' "$(printed sigma0)" 1e5
expect_exit 0 "$bristle" check box.yaml --set friction.sigma0=1e5 --set friction.sigma1=7
expect_stdout 'while it sticks, the body vibrates'
! grep -q 'from mu' "$logs/out" || fail 'nothing was left to the rule'
expect_exit 0 "$bristle" run box.yaml --set friction.elasto_plastic=false -o x.csv
expect_quiet
expect_exit 0 "$bristle" run motion.yaml --set model=coulomb -o x.csv
near 'coulomb with mu alone' "$(tail -n 1 x.csv | cut -d, -f5)" -0.6

# the model is blocks where none is given
expect_exit 0 "$bristle" run box.yaml --set body.velocity='[0.1, 0, 3]' -o x.csv
expect_exit 0 "$bristle" run box.yaml --set body.velocity='[0.1, 0, 3]' --set model=blocks -o y.csv
expect_same x.csv y.csv

# mu is both coefficients, or the one that is not given
expect_exit 0 "$bristle" check box.yaml --set friction.mu_s=0.4
expect_quiet
expect_exit 0 "$bristle" check box.yaml --set 'friction={mu_s: 0.4, mu_c: 0.3}'
expect_quiet
near 'sigma0 of mu_s' "$(printed sigma0)" 20000
expect_exit 0 "$bristle" check box.yaml --set friction.mu_s=0.4 --set friction.v_damping=0
expect_stderr 'may inject energy: .*; here 0 < [0-9.]+\. Where it sticks, the body vibrates at [0-9.]+ Hz with a damping ratio of [0-9.]+; sigma1 = 0 would be passive, with a ratio of 0; mu_s = mu_c is passive'
expect_refused 'friction.mu: has no effect beside mu_c and mu_s' "$bristle" check box.yaml \
    --set friction.mu_s=0.4 --set friction.mu_c=0.3
expect_refused 'friction.mu: must be > 0' "$bristle" check box.yaml --set friction.mu=0
expect_refused 'friction.mu: must be > 0' "$bristle" check box.yaml --set friction.mu=-1

# one warning for one friction, whatever the number of contacts that have it
sed 's/^contact: \(.*\)/contacts: [\1, \1]/' box.yaml >two.yaml
expect_exit 0 "$bristle" check two.yaml --set friction.mu_s=0.4 --set friction.v_damping=0
[ "$(grep -c 'may inject' "$logs/err")" -eq 1 ] || fail 'warned twice'
expect_stdout 'contacts 1 to 2: friction from mu'
[ "$(grep -c 'friction from mu' "$logs/out")" -eq 1 ] || fail 'a line for each of equal contacts'
expect_exit 0 "$bristle" check two.yaml --set 'contacts[1].friction={mu: 0.7}'
expect_stdout 'contact 1: friction from mu'
expect_stdout 'contact 2: friction from mu'

# all missing keys in one message
refuse() { # REGEX; the YAML text on stdin
    cat >bad.yaml
    expect_refused "$1" "$bristle" check bad.yaml
}
refuse 'bad.yaml:2: friction.mu_s: is missing and has no default; mu alone, or mu_s and mu_c, are enough' <<'END'
body: {mass: 1, radius: 0.1}
friction: {mu_c: 1}
contact: {frame: body, patch: {shape: disc, radius: 0.1}}
duration: 1
END
refuse 'bad.yaml:1: friction, duration are missing and have no default; of friction mu is enough' <<'END'
body: {mass: 1, radius: 0.1}
contact: {frame: body, patch: {shape: disc, radius: 0.1}}
END
refuse 'bad.yaml:1: duration: is missing and has no default$' <<'END'
body: {mass: 1, radius: 0.1}
END
refuse 'bad.yaml:1: friction, motion are missing' <<<'contact: {patch: {shape: disc, radius: 0.1}}'
refuse 'bad.yaml:1: law: mu_c, mu_s, v_s, sigma0 are missing and have no default$' <<'END'
law: {kind: lugre}
rig: {mass: 1}
END
refuse 'bad.yaml:1: pressure: from, to are missing' <<<'{shape: line, length: 1, pressure: {kind: linear}}'
refuse 'bad.yaml:2: radius: coefficient, exponent are missing' <<'END'
shape: disc
radius: {max: 1}
END
refuse 'bad.yaml:1: A, b, Q, J, qd, mu are missing' <<<'M: [[1]]'
refuse 'bad.yaml:1: slider: mass, inertia, mu are missing' <<<'{slider: {}, step: 0.1, duration: 1}'
refuse 'bad.yaml:1: mechanism: masses, lengths, path, start, mu are missing' <<<'{mechanism: {kind: two-link}, duration: 1}'
refuse 'bad.yaml:2: motion.velocity: amplitude, frequency are missing' <<'END'
law: {kind: coulomb, mu_c: 1}
motion: {velocity: {kind: sine}}
duration: 1
END

# the cup of the guide comes to rest where it is held, with mu alone; passive numbers for mu_s > mu_c let
# it oscillate when it is released on relaxed bristles. The measure: how often its spin changes sign between 0.2 and 0.5 s.
cat >cup.yaml <<'END'
body: {mass: 0.15, size: [0.07, 0.10], pose: [0.004, -0.02, 0], start: relaxed}
gravity: [0, -9.81]
friction: {mu: 0.8}
contact:
  frame: world
  count: 2
  patch: {shape: disc, radius: {coefficient: 0.005, exponent: 0.3333333, max: 0.008}, pressure: {kind: power, k: 2}}
  normal_force: 3
duration: 0.5
output: {every: 1e-3}
END
sign_changes() {
    "$bristle" run cup.yaml "$@" 2>/dev/null |
        awk -F, '$1 > 0.2 {if ($7*last < 0 && ($7 > 1e-4 || $7 < -1e-4)) n++; last = $7} END {print n + 0}'
}
[ "$(sign_changes)" -eq 0 ] || fail "the cup oscillates with mu alone: $(sign_changes)"
[ "$(sign_changes --set 'friction={mu_c: 0.8, mu_s: 0.9, v_s: 2e-3, sigma0: 2e5, sigma1: 1.5, sigma2: 0.2}')" -gt 15 ] ||
    fail 'the measure sees no ringing where there is some'

done_well
