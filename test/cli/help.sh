#!/bin/bash
# Help, version, and wrong words on the command line.
. "$(dirname "$0")/lib.sh"

expect_exit 0 "$bristle" --help
expect_stdout '^usage: bristle'
expect_quiet
expect_exit 0 "$bristle" help
expect_exit 0 "$bristle" -h
expect_exit 0 "$bristle" --version
expect_stdout '^bristle [0-9]+\.[0-9]+\.[0-9]+$'

for command in run check new surface cone constrained; do
    expect_exit 0 "$bristle" help $command
    expect_stdout "^usage: bristle $command"
    expect_stdout '^example'
    cp "$logs/out" "$logs/help"
    expect_exit 0 "$bristle" $command --help
    expect_same "$logs/out" "$logs/help"
    expect_exit 0 "$bristle" $command -h
done

# every kind of scenario explains itself
expect_exit 0 "$bristle" help run
for kind in 'law \+ motion' 'law \+ rig' 'contact \+ motion'; do
    expect_stdout "^$kind: "
done

# the example runs, without a warning
sed -n '/<<END/,/^  END/p' "$logs/out" | sed '1d; $d; s/^  //' >example.yaml
expect_exit 0 "$bristle" run example.yaml -o example.csv
expect_quiet

# Topics. Oracle: the help of all keys, which has the same tables.
expect_exit 0 "$bristle" help run
cp "$logs/out" "$logs/help"
expect_exit 0 "$bristle" help body
expect_stdout '^body: a planar rigid body'
expect_stdout '^  friction map'
cp "$logs/out" "$logs/body"
expect_exit 0 "$bristle" help run body
expect_same "$logs/out" "$logs/body"
sed -n '/^PROFILE: a number/,/^$/p' "$logs/help" | sed '/^$/d' >"$logs/profiles"
for topic in profiles profile; do
    expect_exit 0 "$bristle" help $topic
    sed -n '/^PROFILE: a number/,$p' "$logs/out" >"$logs/shown"
    expect_same "$logs/shown" "$logs/profiles"
done
expect_exit 0 "$bristle" help topics
for topic in $(grep '^  ' "$logs/out" | sed 's/run //') friction law slider mechanism contact patch output integrator loads; do
    expect_exit 0 "$bristle" help run $topic
    expect_stdout "^([a-z_]*\.)*$topic |^([a-z]* \+ )?$topic( \+ [a-z]*)?: |^PROFILE: "
done
expect_exit 0 "$bristle" help sigma0
expect_stdout '^friction.sigma0 \(contact \+ motion, body\) \[1/m\] number > 0: '
# a key by its path, as the help prints it
expect_exit 0 "$bristle" help friction.sigma0
expect_stdout '^friction.sigma0 \(contact \+ motion, body\) \[1/m\] number > 0: '
expect_exit 0 "$bristle" help run slider.mu
expect_stdout '^slider.mu \(slider\) \[-\] number >= 0'
expect_refused 'unknown command or topic riction.mu' "$bristle" help riction.mu
expect_exit 0 "$bristle" help integrator
expect_stdout '^integrator \(body\) map'
expect_stdout '^  fixed steps:'
expect_exit 0 "$bristle" help disc
expect_stdout '^  shape disc, required'
expect_refused 'help: unknown command or topic bodi; did you mean body\?' "$bristle" help run bodi
expect_refused 'help: unknown command or topic zzzz; see: bristle help topics' "$bristle" help zzzz
expect_refused 'takes one command or topic; got fit and lawn' "$bristle" help fit lawn
# what can be fitted has its part of the help of fit
for kind in law pressure pushes contact; do
    "$bristle" help fit $kind >"$logs/kind" || fail "help fit $kind"
    head -n 1 "$logs/kind" | grep -qx "usage: bristle fit $kind DATA.csv \[OPTIONS\]" || fail "help fit $kind: usage"
    grep -q -- '--max-time S' "$logs/kind" || fail "help fit $kind: common options"
    "$bristle" help fit | grep -Fxvf - "$logs/kind" | grep -v '^usage' && fail "help fit $kind has lines that help fit has not"
done
grep -q -- '--tip-radius' "$logs/kind" && fail 'help fit contact has options of pushes'

expect_exit 2 "$bristle"
expect_stderr '^usage: bristle'
expect_refused 'unknown command rum; did you mean run\?' "$bristle" rum
expect_refused 'unknown command or topic surfce; did you mean surface\?' "$bristle" help surfce
expect_refused 'unknown option --frobnicate; see: bristle --help' "$bristle" --frobnicate
expect_refused 'unknown command foobar; see: bristle --help' "$bristle" foobar
expect_refused 'unknown option --zack; see: bristle help run' "$bristle" run x.yaml --zack
expect_refused 'unknown option --jsn; did you mean --json\?.*bristle help run' \
    "$bristle" run x.yaml --jsn
expect_refused 'unknown option -x.*bristle help run' "$bristle" run x.yaml -x
expect_refused 'unknown option --plot' "$bristle" check x.yaml --plot p.png
expect_refused 'option -o needs a value' "$bristle" run x.yaml -o
expect_refused 'option --set needs a value' "$bristle" run x.yaml --set
expect_refused 'file is missing' "$bristle" run
expect_refused 'takes one file; got a.yaml and b.yaml' "$bristle" run a.yaml b.yaml
expect_refused '--fn -1: must be a number >= 0' "$bristle" surface x.yaml --fn -1
done_well
