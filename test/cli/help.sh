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

for command in run check surface cone constrained; do
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

expect_exit 2 "$bristle"
expect_stderr '^usage: bristle'
expect_refused 'unknown command rum; did you mean run\?' "$bristle" rum
expect_refused 'unknown command surfce; did you mean surface\?' "$bristle" help surfce
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
