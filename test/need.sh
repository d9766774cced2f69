#!/usr/bin/env bash
# Where there is no apt, cmake/need.sh names what is missing and installs nothing.
# Argument: the source folder.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for tool in sh cat grep id; do
    ln -s "$(command -v $tool)" "$scratch/$tool"
done
status=0
PATH=$scratch "$(command -v sh)" "$1/cmake/need.sh" build format >"$scratch/out" 2>&1 || status=$?
[ "$status" -eq 1 ]
grep -q 'needs, under their Debian names: .*gcc.*cmake.*libyaml-dev.*clang-format' "$scratch/out"
status=0
sh "$1/cmake/need.sh" nonsense >"$scratch/out" 2>&1 || status=$?
[ "$status" -eq 2 ]

# another apt at work: it is waited for, both for lists and for packages; what is optional may fail
mkdir "$scratch/apt"
cat >"$scratch/apt/apt-get" <<'END'
#!/bin/sh
echo "$*" >>"$LOG"
[ "$(grep -c . "$LOG")" -gt 2 ] || { echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt)' >&2; exit 100; }
case $* in *broken* | *clang-format*) [ -z "${BROKEN:-}" ] || { echo 'E: Unable to locate package' >&2; exit 100; } ;; esac
END
printf '#!/bin/sh\nexit 0\n' >"$scratch/apt/sleep"
printf '#!/bin/sh\n[ "$1" != -u ] || { echo 0; exit; }\n' >"$scratch/apt/id"
chmod +x "$scratch"/apt/*
for tool in sh cat grep env; do
    ln -sf "$(command -v $tool)" "$scratch/apt/$tool"
done
need() { PATH=$scratch/apt LOG=$scratch/log "$(command -v sh)" "$source/cmake/need.sh" "$@" >"$scratch/out" 2>&1; }
source=$1
: >"$scratch/log"
need format
grep -q 'waiting for another apt' "$scratch/out"
[ "$(grep -c update "$scratch/log")" -eq 3 ] # two refused
grep -q 'DPkg::Lock::Timeout=600 install --no-install-recommends clang-format' "$scratch/log"
export BRISTLE_APT_WAIT=2
: >"$scratch/log"
status=0
need format || status=$? # two tries, 2 s: both refused
[ "$status" -ne 0 ]
grep -q 'held by process 1' "$scratch/out"
export BROKEN=1 BRISTLE_APT_WAIT=600
: >"$scratch/log"
status=0
need format || status=$?
[ "$status" -ne 0 ]
: >"$scratch/log"
need --optional format
grep -q 'format: left out, as are the tests that need it' "$scratch/out"
echo ok
