#!/bin/bash
# Run fuzz targets: run.sh FOLDER SECONDS [TARGET...], FOLDER with the programs fuzz-*, SECONDS for each target, two at a
# time. What is found is stored in FOLDER/findings. Prints a row for each target: executions, coverage (edges), findings.
set -u
folder=$1 seconds=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
names=$(if [ $# -gt 0 ]; then printf '%s\n' "$@"; else sed -n '/^set(names/,/)/p' "$here/CMakeLists.txt" |
    sed 's/set(names//; s/)//' | tr -s ' ' '\n' | sed '/^$/d'; fi)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder/findings"

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

run() {
    name=$1
    unpack "$name"
    dictionary=
    [ ! -e "$here/seeds/$name.dict" ] || dictionary=-dict=$here/seeds/$name.dict
    # in a folder of its own: texts may name files
    mkdir -p "$work/at-$name"
    (cd "$work/at-$name" &&
        ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
            "$folder/fuzz-$name" -max_total_time="$seconds" -timeout=100 -rss_limit_mb=2048 -max_len=4096 \
            -print_final_stats=1 $dictionary -artifact_prefix="$folder/findings/$name-" "$work/$name") \
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
export folder seconds here work
echo "$names" | xargs -P 2 -I{} bash -c 'run {}' || exit 1
