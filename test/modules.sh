#!/usr/bin/env bash
# Oracle: docs/explanation/architecture.md. A module includes only modules before it, in .inc files, too; the command and what it
# is built of are clients of the library: public headers and br_ names alone; nothing outside base allocates; nothing
# outside sim sees SUNDIALS, runs over time or takes a step of it; one file for each operating system uses it. Argument: the source folder.
set -u
cd "$1" || exit 1
modules=(base math law patch limit planar cone slider constrained papers sim fit scenario sweep)
failed=0

position() {
    local i
    for i in "${!modules[@]}"; do
        [ "${modules[$i]}" = "$1" ] && { echo "$i"; return; }
    done
    echo -1
}

# the module a public header belongs to
module_of_header() {
    case $1 in
    base | version) echo base ;;
    math) echo math ;;
    anisotropy | law | modes) echo law ;;
    field | hertz | patch) echo patch ;;
    engine | limit) echo limit ;;
    batch | contact | gradient | step | worlds | worlds_gradient) echo planar ;;
    outline | pushing | slider) echo slider ;;
    body | column | grip | integrator | mechanism | motion | profile | rig | rollout | run | sim | sliding) echo sim ;;
    fit | fit_* | online) echo fit ;;
    scenario | csv | text) echo scenario ;;
    sweep | sensitivity) echo sweep ;;
    constrained) echo constrained ;;
    papers) echo papers ;;
    cone | polyhedron | wrench_cone | limit_polyhedron | grasp) echo cone ;;
    *) echo unknown ;;
    esac
}

check() { # FILE, ITS MODULE, INCLUDED MODULE
    local own other
    own=$(position "$2") other=$(position "$3")
    if [ "$other" -lt 0 ] || [ "$other" -gt "$own" ]; then
        echo "$1: module $2 may not include module $3"
        failed=1
    fi
}

includes() { sed -n 's/^#include "\([^"]*\)".*/\1/p' "$1"; }

for file in src/*/*.[ch] src/*/*.inc; do
    module=$(basename "$(dirname "$file")")
    [ "$(position "$module")" -ge 0 ] || { echo "$file: unknown module $module"; failed=1; }
    for included in $(includes "$file"); do
        case $included in
        bristle/*) check "$file" "$module" "$(module_of_header "$(basename "$included" .h)")" ;;
        */*) check "$file" "$module" "${included%%/*}" ;;
        esac
    done
done
for file in include/bristle/*.h; do
    name=$(basename "$file" .h)
    [ "$name" = bristle ] && continue # includes all
    for included in $(includes "$file"); do
        check "$file" "$(module_of_header "$name")" "$(module_of_header "$(basename "$included" .h)")"
    done
done

# programs: parts that they share, pictures, the command, and those beside it
parts_of() { # FOLDER: those whose headers it may include by name alone
    case $1 in
    parts) echo parts ;;
    pictures) echo pictures parts ;;
    cli) echo cli pictures parts ;;
    bench) echo bench parts ;;
    studies) echo studies bench pictures parts ;;
    esac
}
for program in parts pictures cli bench studies; do
    for file in $program/*.[ch]; do
        for included in $(includes "$file"); do
            case $included in
            bristle/*) [ -e "include/$included" ] || [ -e "include/$included.in" ] && continue ;;
            ../src/*) [ $program = bench ] && continue ;; # it times what is inside, too
            */*) ;;
            *)
                for part in $(parts_of $program); do
                    [ -e "$part/$included" ] && continue 2
                done
                ;;
            esac
            [ "$file $included" = "bench/models.c history.h" ] && continue # a program of the tests
            echo "$file: $program may not include $included"
            failed=1
        done
    done
done

if grep -nE '\bbri_' -r parts pictures cli studies; then
    echo 'the programs use what is public alone'
    failed=1
fi

# time: runs are sim's (scenario asks sim for them), and so are steps, but for the modules that have them; benchmarks
# time single ones, and a study may hand equations of its own to sim's integrator
for file in include/bristle/*.h; do
    name=$(basename "$file" .h)
    case $(module_of_header "$name") in sim | scenario | sweep) continue ;; esac
    if grep -nE '\bbr_[a-z_]+_run\(' "$file"; then
        echo "$file: only sim runs over time"
        failed=1
    fi
done
if grep -nE '\bbr_[a-z_]+_step\(' -r src parts pictures cli studies --include='*.[ch]' --include='*.inc' |
    grep -vE '^src/(law|planar|slider|papers|sim|fit)/|^studies/.*br_integrator_step\('; then
    echo 'only sim may take a time step'
    failed=1
fi

if grep -nE '\b(malloc|calloc|realloc|free)\(' -r src parts pictures cli studies --include='*.[ch]' --include='*.inc' | grep -v '^src/base/'; then
    echo 'only base may allocate'
    failed=1
fi
if grep -nE '#include <(cvode|nvector|sun)' -r src parts pictures cli bench studies include | grep -v '^src/sim/'; then
    echo 'only sim may see SUNDIALS'
    failed=1
fi

# the operating system: its headers and functions beyond ISO C are used in one file for each system, NAME_posix.c and
# NAME_windows.c; bench, studies and bristle-mpi are for POSIX alone
systems='(_posix|_windows|_wasm)\.c:|^cli/main_mpi\.c:'
headers='aio|arpa/.*|dirent|dlfcn|fcntl|fnmatch|ftw|glob|grp|io|langinfo|libgen|net/.*|netdb|netinet/.*|poll|process|pthread|pwd|regex|sched|semaphore|spawn|strings|sys/.*|syslog|termios|unistd|utime|windows|wordexp'
functions='access|chdir|chmod|clock_gettime|close|dup2?|exec[lv]p?e?|fchmod|fcntl|fdopen|fileno|fork|fsync|fstat|getcwd|getline|getpid|isatty|kill|lseek|lstat|mkdir|mkstemp|mmap|munmap|nanosleep|open|opendir|pipe|popen|posix_spawnp?|pread|pwrite|readlink|rename|rmdir|sigaction|sigprocmask|sleep|stat|stpcpy|strcasecmp|strdup|strncasecmp|strndup|sysconf|tmpfile|umask|unlink|usleep|waitpid|fopen|freopen|remove'
if grep -nE "^ *# *include <($headers)\.h>" -r src parts pictures cli --include='*.[ch]' --include='*.inc' | grep -vE "$systems"; then
    echo 'headers of an operating system belong in system_*.c or child_*.c'
    failed=1
fi
# fopen() of processors.c reads files of Linux' kernel
if grep -nE "(^|[^A-Za-z0-9_>.\"])($functions)\(" -r src parts pictures cli --include='*.c' --include='*.inc' |
    grep -vE "$systems|^[^:]*:[0-9]*: *(//|\*|\")|^src/sweep/processors\.c:.*fopen\("; then
    echo 'functions of an operating system belong in system_*.c or child_*.c'
    failed=1
fi
if grep -nE '_WIN32|__linux__|__APPLE__|__MINGW' -r src/scenario src/sweep src/sim src/fit parts pictures cli --include='*.[ch]' --include='*.inc' |
    grep -vE "$systems"; then
    echo 'only system_*.c and child_*.c may ask for the operating system'
    failed=1
fi
exit $failed
