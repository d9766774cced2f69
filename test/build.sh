#!/usr/bin/env bash
# cmake/build.sh: one line of progress on a terminal, none elsewhere; the log where the build fails. Oracle: a cmake that
# prints what it is given. Argument: the source folder.
set -eu
source=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
cat >"$scratch/bin/cmake" <<'END'
#!/bin/sh
echo "$*" >>calls
[ "$1" = --build ] || exit 0
echo '[  7%] Building C object src/CMakeFiles/a.dir/law/law.c.o'
echo 'a word of the compiler'
echo '[100%] Linking C executable bristle'
exit "${FAKE_STATUS:-0}"
END
chmod +x "$scratch/bin/cmake"
export PATH="$scratch/bin:$PATH"
cd "$scratch"
build() { sh "$source/cmake/build.sh" release 3 "$@"; }
fail() { echo "FAILED: $*"; cat out; exit 1; }

build >out
[ "$(cat out)" = 'building (release) ...' ] || fail "one line expected without a terminal"
grep -q 'a word of the compiler' build/release.log || fail "the log is not written"
printf '%s\n' '--preset release' '--build --preset release -j 3' | cmp -s - calls || fail "cmake is called differently"
mkdir build/release
touch build/release/CMakeCache.txt
rm calls
build >out
[ ! -s out ] || fail "nothing to print the second time"
[ "$(cat calls)" = '--build --preset release -j 3' ] || fail "it is configured twice"
build bristle bench >out
tail -1 calls | grep -qx -- '--build --preset release -j 3 --target bristle bench' || fail "targets"

status=0
FAKE_STATUS=2 build >out || status=$?
[ "$status" -eq 1 ] || fail "exit status $status, expected 1"
grep -q 'a word of the compiler' out || fail "the log of a failure is not shown"

if ! SHELL=/bin/sh script -qec true /dev/null </dev/null >out 2>&1; then
    echo 'skipped: progress on a terminal (no script, or no pseudo-terminals)'
    exit 0
fi
on_terminal() {
    SHELL=/bin/sh script -qec "sh '$source/cmake/build.sh' release 3" /dev/null </dev/null | tr '\r' '\n' >out
    return "${PIPESTATUS[0]}"
}
on_terminal
grep -q 'building (release)   7% law.c' out || fail "no progress on a terminal"
grep -q 'building (release) 100% Linking C executable bristle' out || fail "no end of progress"
! grep -q 'a word of the compiler' out || fail "the compiler's words belong into the log"
grep -q 'a word of the compiler' build/release.log || fail "the log is not written on a terminal"
status=0
FAKE_STATUS=2 on_terminal || status=$?
grep -q 'a word of the compiler' out || fail "the log of a failure is not shown on a terminal"
[ "$status" -eq 1 ] || fail "exit status $status on a terminal, expected 1"
[ ! -e build/release.log.failed ] || fail "a file is left behind"
echo ok
