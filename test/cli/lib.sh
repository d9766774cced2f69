# What the tests of the command share. Each starts with: . "$(dirname "$0")/lib.sh"
# and gets: $bristle (the command, from $1), a fresh current folder that is removed at the end.

set -u
# in the background of a shell (`make test &`) SIGINT is ignored, by children as well: tests that send it would wait for ever
if [ -n "$(trap -p INT)" ] && env --default-signal=INT,QUIT true 2>/dev/null; then
    exec env --default-signal=INT,QUIT bash "$0" "$@"
fi
bristle=$(realpath "$1")
here=$(mktemp -d)
logs=$(mktemp -d)
trap 'chmod -R u+rwX "$here"; rm -rf "$here" "$logs"' EXIT
cd "$here" || exit 1
last=

fail() {
    echo "FAILED: $*" >&2
    echo "  command: $last" >&2
    echo "  stdout:  $(head -c 600 "$logs/out" 2>/dev/null)" >&2
    echo "  stderr:  $(head -c 600 "$logs/err" 2>/dev/null)" >&2
    exit 1
}

# expect_exit CODE COMMAND...: run it, keep what it prints, compare its exit status.
expect_exit() {
    local wanted=$1 got
    shift
    last="$*"
    "$@" >"$logs/out" 2>"$logs/err"
    got=$?
    [ "$got" -eq "$wanted" ] || fail "exit status $got, expected $wanted"
}

# expect_stderr REGEX, expect_stdout REGEX: what the last command printed (extended regex).
expect_stderr() {
    grep -Eq -- "$1" "$logs/err" || fail "stderr does not match: $1"
}

expect_stdout() {
    grep -Eq -- "$1" "$logs/out" || fail "stdout does not match: $1"
}

expect_quiet() {
    [ ! -s "$logs/err" ] || fail "stderr should be empty"
}

# expect_refused REGEX COMMAND...: exit 2, nothing on stdout, and such a message.
expect_refused() {
    local pattern=$1
    shift
    expect_exit 2 "$@"
    expect_stderr "^bristle: .*$pattern"
    [ ! -s "$logs/out" ] || fail "stdout should be empty"
}

# expect_unwritten REGEX COMMAND...: exit 1, nothing on stdout, and such a message.
expect_unwritten() {
    local pattern=$1
    shift
    expect_exit 1 "$@"
    expect_stderr "^bristle: $pattern"
    [ ! -s "$logs/out" ] || fail "stdout should be empty"
}

expect_same() {
    cmp -s "$1" "$2" || fail "$1 and $2 differ"
}

# expect_files NAME...: the folder holds these and nothing else, hidden ones included.
expect_files() {
    local wanted got
    wanted=$(printf '%s\n' "$@" | sort)
    got=$(ls -A | sort)
    [ "$wanted" = "$got" ] || fail "the folder holds: $(echo $got); expected: $(echo $wanted)"
}

# A scenario of each kind, for tests that are not about scenarios.
write_scenarios() {
    cat >rig.yaml <<'END'
law: {kind: lugre, mu_c: 1, mu_s: 1.5, v_s: 1e-3, sigma0: 1e5, sigma1: 1, sigma2: 0.6}
rig:
  mass: 1
  stiffness: 2
  pull: 0.1
duration: 2
output: {every: 0.01}
END
    cat >motion.yaml <<'END'
law: {kind: dahl, mu_c: 1, sigma0: 1e3}
motion: {file: v.csv}
END
    printf 't,v\n0,0\n0.5,0.1\n1,-0.1\n' >v.csv
}

done_well() {
    echo "ok: $(basename "$0")"
    exit 0
}
