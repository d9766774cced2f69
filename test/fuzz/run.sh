#!/bin/bash
# Run fuzz targets: run.sh FOLDER SECONDS [TARGET...], FOLDER with the programs fuzz-*, SECONDS for each target, two at a
# time. What is found is stored in FOLDER/findings. Prints a row for each target: executions, coverage (edges), findings.
# With FUZZ_SEED and FUZZ_RUNS set, a run repeats the last one: so many executions at most, in the same environment
# and at the same addresses: libFuzzer takes the operands of comparisons, pointers included, for its next inputs.
set -u
folder=$1 seconds=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
names=$(if [ $# -gt 0 ]; then printf '%s\n' "$@"; else sed -n '/^set(names/,/)/p' "$here/CMakeLists.txt" |
    sed 's/set(names//; s/)//' | tr -s ' ' '\n' | sed '/^$/d'; fi)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder/findings"
ln -s "$folder" "$work/programs" # paths of one length: arguments are on the stack

# a corpus is a file with a seed on each line, as printf reads it: it stays small, and a diff shows what changed. Targets
# that only take numbers share one
unpack() {
    mkdir -p "$work/$1"
    number=0
    while IFS= read -r line; do
        number=$((number + 1))
        printf "$line" >"$work/$1/seed$number"
    done <"$here/seeds/$([ -e "$here/seeds/$1.txt" ] && echo "$1" || echo numbers).txt"
}

fixed=
[ -z "${FUZZ_SEED:-}" ] || ! setarch -R true 2>/dev/null || fixed='setarch -R env -i PATH=/usr/local/bin:/usr/bin:/bin'

run() {
    name=$1
    unpack "$name"
    dictionary=
    [ ! -e "$here/seeds/$name.dict" ] || dictionary=-dict=$here/seeds/$name.dict
    # in a folder of its own: texts may name files
    mkdir -p "$work/at-$name"
    (cd "$work/at-$name" &&
        ${fixed:-env} ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
            "$work/programs/fuzz-$name" -max_total_time="$seconds" -timeout=100 -rss_limit_mb=2048 -max_len=4096 \
            -print_final_stats=1 ${FUZZ_SEED:+-seed=$FUZZ_SEED} ${FUZZ_RUNS:+-runs=$FUZZ_RUNS} $dictionary -artifact_prefix="$work/programs/findings/$name-" "$work/$name") \
        >"$work/$name.log" 2>&1
    status=$?
    count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$name.log")
    edges=$(grep -o 'cov: [0-9]*' "$work/$name.log" | tail -1 | cut -c6-)
    printf '%-12s %10s executions %6s edges  %s\n' "$name" "${count:-?}" "${edges:-?}" \
        "$([ $status -eq 0 ] && echo 'nothing found' || echo "FOUND, see $folder/findings")"
    if [ $status -ne 0 ]; then
        cp "$work/$name.log" "$folder/findings/$name.log"
        grep -m1 -E 'SUMMARY|ERROR' "$work/$name.log"
    fi
    return $status
}

export -f run unpack
export folder seconds here work fixed
echo "$names" | xargs -P 2 -I{} bash -c 'run {}' || exit 1
