#!/bin/sh
# Configure and build a preset, or targets of it: build.sh PRESET JOBS [TARGET...]. What is printed goes to
# build/PRESET.log, which is shown if the build fails. On a terminal, one line shows how far it is.
set -eu
preset=$1 jobs=$2
shift 2
log=build/$preset.log
mkdir -p build

run() {
    { [ -e "build/$preset/CMakeCache.txt" ] && [ $# -eq 0 ]; } || cmake --preset "$preset" || return 1
    cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}
}

# "[ 42%] Building C object src/law/law.c.o" of stdin as "building (release)  42% law.c", over and over on one line
show_progress() {
    while IFS= read -r line; do
        echo "$line" >&3
        case $line in
        '['*%']'*)
            share=${line#'['}
            name=${line#*'] '}
            name=${name##*/}
            printf '\r\033[Kbuilding (%s) %s%% %.40s' "$preset" "${share%%'%'*}" "${name%.o}"
            ;;
        esac
    done 3>"$log"
    printf '\r\033[K'
}

status=0
if [ -t 1 ]; then
    rm -f "$log.failed"
    unset MAKE_TERMOUT # the make above has a terminal, this one a pipe: no colours
    printf 'building (%s) ...' "$preset"
    { run "$@" 2>&1 || echo failed >"$log.failed"; } | show_progress
    [ ! -e "$log.failed" ] || status=1
    rm -f "$log.failed"
else
    [ -e "build/$preset/CMakeCache.txt" ] || echo "building ($preset) ..."
    run "$@" >"$log" 2>&1 || status=1
fi
[ "$status" -eq 0 ] || cat "$log"
exit "$status"
