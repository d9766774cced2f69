#!/bin/sh
# Builds and tests bristle with other compilers and for other processors: run.sh SOURCE JOBS [PLATFORM...].
# Continues after a failure, prints one table at the end, and fails where a platform did. Everything is made in
# build/portable, with a log for each platform. A platform whose compiler or emulator cannot be had is skipped.
set -u
cd "$1" || exit 1
jobs=$2
shift 2
made=build/portable
all='clang gcc-O0 gcc-O2 gcc-O3-native fast-math scalar tcc musl i386-sse2 i386-x87 armhf aarch64 s390x s390x-command riscv64'
[ $# -gt 0 ] || set -- $all
mkdir -p "$made"
export CTEST_OUTPUT_ON_FAILURE=1 CLICOLOR=0

# --- one platform --------------------------------------------------------------------------------

# configure ARGUMENTS...: the libraries and the tests of the core, without libraries that Debian has for this
# processor alone
configure() {
    cmake -S . -B "$made/$platform" -DCMAKE_BUILD_TYPE=None -DBRISTLE_TESTS=ON -DBRISTLE_CLI=OFF -DBRISTLE_YAML=OFF \
        -DBRISTLE_CMINPACK=OFF -DBRISTLE_EXAMPLES=OFF -DBRISTLE_WERROR=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
}

build() {
    cmake --build "$made/$platform" -j "$jobs" --target "$@"
}

# bristle.c of `make amalgamation`, in ISO C and with the options of the platform: it finds out itself what the compiler has
amalgamation() {
    options=
    for argument in "$@"; do
        case $argument in -DCMAKE_C_FLAGS=*) options=${argument#*=} ;; esac
    done
    python3 cmake/amalgamate.py . "$made/amalgamation" &&
        "$(compiler_of "$platform")" -std=c17 $options -O0 -fsyntax-only "$made/amalgamation/bristle.c"
}

# the unit tests of the core; their number goes to the table
core() {
    amalgamation "$@" && configure "$@" && build core-tests && test_core
}

test_core() {
    ctest --test-dir "$made/$platform" -j "$jobs" -L core >"$made/$platform.tests" 2>&1
    status=$?
    cat "$made/$platform.tests"
    ran="$ran$(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\)/core \2 tests, \1 failed/p' "$made/$platform.tests")"
    return $status
}

# The command, linked statically, and tests of it where files have a byte order: tables for NumPy, journals of sweeps.
# `emulator` runs its programs, if the processor at hand cannot.
command_of() {
    compiler=$1 emulator=$2
    shift 2
    sh test/portable/libyaml.sh "$compiler" "$PWD/$made/libyaml-$platform" || { ran="$ran, no libyaml"; return 1; }
    PKG_CONFIG_LIBDIR=$PWD/$made/libyaml-$platform configure -DBRISTLE_CLI=ON -DBRISTLE_YAML=ON "$@" || return 1
    build bristle core-tests || return 1
    run=$PWD/$made/$platform/bristle-run
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$emulator" "$PWD/$made/$platform/cli/bristle" >"$run"
    chmod +x "$run"
    status=0
    test_core || status=1
    for script in $scripts; do
        if bash "test/$script.sh" "$run"; then
            ran="$ran, command: ${script##*/}"
        else
            ran="$ran, command: ${script##*/} FAILED"
            status=1
        fi
    done
    return $status
}

# --- platforms -----------------------------------------------------------------------------------

# Warnings of clang that are left out of all: those about the language itself (C17 code that is meant: declarations
# where a name is first used, designated initialisers, compound literals, variadic macros, `0.0 ==` exact cases), about
# layout (padding, alignment of vectors, long as long long in them), about other people's headers, about data that a struct
# owns by a pointer to const (cast-qual), and those that gcc has with fewer false alarms (arrays filled in loops).
everything='-Weverything -Wno-declaration-after-statement -Wno-padded -Wno-float-equal -Wno-sign-conversion
    -Wno-implicit-int-float-conversion -Wno-disabled-macro-expansion -Wno-reserved-identifier -Wno-reserved-macro-identifier
    -Wno-covered-switch-default -Wno-switch-enum -Wno-switch-default -Wno-documentation -Wno-documentation-unknown-command
    -Wno-unsafe-buffer-usage -Wno-pre-c11-compat -Wno-cast-align -Wno-bad-function-cast -Wno-format-nonliteral
    -Wno-unused-macros -Wno-psabi -Wno-vector-conversion -Wno-conditional-uninitialized -Wno-cast-qual -Wno-comma
    -Wno-missing-noreturn -Wno-unreachable-code -Wno-c++98-compat -Wno-unknown-warning-option'

# every file of the libraries, in both kinds of kernels
clang_everything() {
    configure -DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS='-O2' || return 1
    sources=$(ls src/*/*.c | grep -v 'cvode.c\|document.c\|least_squares.c\|system_w\|_[48]\.c\|_16\.c\|alone\.c')
    status=0 count=0
    for source in $sources; do
        for kind in '' -DBRISTLE_SCALAR; do
            case $source$kind in *float_1.c-D*) continue ;; esac # constants there are doubles, cmake/kernel.cmake
            count=$((count + 1))
            clang -std=c17 -fsyntax-only $everything -Werror $kind -D_POSIX_C_SOURCE=200809L \
                -Iinclude -Isrc -I"$made/$platform/include" "$source" || status=1
        done
    done
    ran="-Weverything on $count units, "
    return $status
}

# libbristle by tcc, which has neither vectors nor atomic numbers, and tests of the core around it by gcc: sums of long
# doubles in their oracles overflow the stack of x87 in programs of tcc
tcc_core() {
    objects=$made/tcc
    mkdir -p "$objects/include/bristle"
    sed 's/@PROJECT_VERSION_[A-Z]*@/0/; s/@PROJECT_VERSION@/0/' include/bristle/version.h.in >"$objects/include/bristle/version.h"
    flags="-std=c17 -Iinclude -Isrc -I$objects/include"
    library= runtime=$(tcc -print-search-dirs | sed -n "s/^install: //p")/libtcc1.a
    for source in $(sed -n '/^bristle_library(bristle$/,/)/s/ *\(src.*\.c\))*$/\1/p' CMakeLists.txt); do
        object=$objects/$(echo "$source" | tr / _).o
        tcc $flags -c "$source" -o "$object" || return 1
        library="$library $object"
    done
    status=0 passed=0 tests='math law patch limit_create planar kernel kernel_gradient kernel_step kernel_reduced reduced blocks
        blocks_step step batch worlds'
    for test in $tests; do
        gcc -O1 -DBRISTLE_SCALAR $flags -Itest/unit -Itest/cross "test/unit/test_$test.c" $library "$runtime" -o "$objects/test-$test" -lm ||
            { status=1; continue; }
        if "$objects/test-$test"; then passed=$((passed + 1)); else status=1; echo "FAILED: $test"; fi
    done
    ran="core $passed of $(echo $tests | wc -w) tests passed"
    return $status
}

# A program with -ffast-math around the library. Its start-up code makes the processor flush subnormal numbers to 0.
fast_math() {
    platform=gcc-O2
    configure -DCMAKE_C_FLAGS='-O2 -g' && build bristle-static || return 1
    library=$made/gcc-O2/libbristle.a
    for flags in '-O2' '-O3 -ffast-math -march=native'; do
        cc -std=c17 $flags -Iinclude -I"$made/gcc-O2/include" test/portable/fast_math.c $library -lm -o "$made/fast_math" &&
            "$made/fast_math" >"$made/fast_math${flags%% *}.txt" || return 1
    done
    cat "$made/fast_math-O3.txt"
    cmp "$made/fast_math-O2.txt" "$made/fast_math-O3.txt" || return 1
    ran="same $(grep -c . "$made/fast_math-O2.txt") lines, to the last bit"
    # and all tests of the core in such a processor mode
    status=0
    configure -DCMAKE_C_FLAGS='-O2 -g' -DCMAKE_EXE_LINKER_FLAGS=-ffast-math && build core-tests &&
        { ran="$ran, "; test_core; } || status=1
    configure -DCMAKE_EXE_LINKER_FLAGS= >/dev/null
    return $status
}

# what needs packages of its own: group of cmake/need.sh
needs_of() {
    case $1 in
    clang) echo clang ;;
    tcc) echo tcc ;;
    musl) echo musl ;;
    i386-*) echo i386 ;;
    s390x*) echo s390x ;;
    armhf | aarch64 | riscv64) echo "$1" ;;
    esac
}

compiler_of() {
    case $1 in
    clang) echo clang ;;
    tcc) echo tcc ;;
    musl) echo musl-gcc ;;
    i386-*) echo i686-linux-gnu-gcc ;;
    armhf) echo arm-linux-gnueabihf-gcc ;;
    s390x*) echo s390x-linux-gnu-gcc ;;
    aarch64 | riscv64) echo "$1-linux-gnu-gcc" ;;
    *) echo gcc ;;
    esac
}

version_of() {
    case $1 in
    tcc) tcc -v | awk '{print $1, $3}' ;;
    *) "$1" --version 2>/dev/null | sed -n '1s/.* \([0-9][0-9.]*[0-9]\).*/\1/p' | sed "s/^/$(basename "$1" | sed 's/.*-gcc/gcc/') /" ;;
    esac
}

run_platform() {
    scripts='cli/output cli/units'
    case $platform in
    clang) clang_everything && core -DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS='-O2 -g' ;;
    gcc-O0) core -DCMAKE_C_FLAGS='-O0 -g' ;;
    gcc-O2) core -DCMAKE_C_FLAGS='-O2 -g' ;;
    gcc-O3-native) # false alarms of gcc 12 where it unrolls loops over arrays of three
        core -DCMAKE_C_FLAGS='-O3 -march=native -g -Wno-error=maybe-uninitialized'
        ;;
    fast-math) fast_math ;;
    scalar) core -DCMAKE_C_FLAGS='-O2 -g -pedantic-errors' -DBRISTLE_SCALAR=ON ;;
    tcc) tcc_core ;;
    musl) command_of musl-gcc '' -DCMAKE_TOOLCHAIN_FILE=cmake/musl.cmake -DCMAKE_C_FLAGS='-O2 -g' ;;
    i386-sse2) core -DCMAKE_TOOLCHAIN_FILE=cmake/i386.cmake -DCMAKE_C_FLAGS='-O2 -g -msse2 -mfpmath=sse' ;;
    i386-x87) core -DCMAKE_TOOLCHAIN_FILE=cmake/i386.cmake -DCMAKE_C_FLAGS='-O2 -g' ;;
    s390x-command)
        scripts='cli/output portable/byte_order' # false alarms, as above
        command_of s390x-linux-gnu-gcc qemu-s390x-static -DCMAKE_TOOLCHAIN_FILE=cmake/s390x.cmake \
            -DCMAKE_C_FLAGS='-O2 -g -Wno-error=maybe-uninitialized'
        ;;
    armhf | aarch64 | s390x | riscv64)
        core -DCMAKE_TOOLCHAIN_FILE="cmake/$platform.cmake" -DCMAKE_C_FLAGS='-O2 -g -Wno-error=maybe-uninitialized'
        ;;
    *)
        echo "run.sh: no platform $platform; there are: $all" >&2
        exit 2
        ;;
    esac
}

# --- all of them ---------------------------------------------------------------------------------

table=$made/table.txt
printf '%-14s %-18s %-7s %6s  %s\n' platform compiler result s ran >"$table"
failed=0
for name in "$@"; do
    platform=$name ran=
    group=$(needs_of "$name")
    echo "portable: $name ..."
    start=$(date +%s)
    if [ -n "$group" ] && ! sh cmake/need.sh "$group" >"$made/$name.log" 2>&1; then
        result=skipped ran="no $(compiler_of "$name"): $(tail -n 1 "$made/$name.log")"
    elif run_platform >"$made/$name.log" 2>&1; then
        result=passed
    else
        result=FAILED
        failed=$((failed + 1))
        tail -n 30 "$made/$name.log"
    fi
    printf '%-14s %-18s %-7s %6d  %s\n' "$name" "$(version_of "$(compiler_of "$name")")" "$result" \
        $(($(date +%s) - start)) "$ran" >>"$table"
done
cat "$table"
[ "$failed" -eq 0 ]
