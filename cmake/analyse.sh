#!/bin/sh
# Static analysis of the library and the command, after `make build.release`: clang-tidy with the checks of .clang-tidy,
# cppcheck, and gcc -fanalyzer. Prints findings and a line for each tool; exits with 1 if there are any. Preconditions are
# taken as given (NDEBUG): BR_ASSERT covers errors that only a caller's code can cause.
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
out=build/analysis
mkdir -p "$out"
# not those of Windows, whose headers are not here
git ls-files 'src/*.c' 'parts/*.c' 'cli/*.c' | grep -v '_windows\.c$' >"$out/files"
status=0

# report TOOL PATTERN: the findings in a tool's output
report() {
    grep -hE "$2" "$out/$1.txt" | sort -u >"$out/$1.found" || true
    cat "$out/$1.found"
    echo "$1: $(wc -l <"$out/$1.found") findings in $(wc -l <"$out/files") files"
    [ ! -s "$out/$1.found" ] || status=1
}

# one file for each process: version 14 takes a va_list for uninitialised in the second file
grep -v main_mpi "$out/files" | xargs -P "$jobs" -n 1 clang-tidy --quiet -p build/release >"$out/clang-tidy.txt" 2>&1 || true
report clang-tidy ' (warning|error): '

# one configuration: cppcheck otherwise tries every combination of macros. It does not read _Noreturn of C11
cppcheck --file-list="$out/files" --enable=warning,performance,portability --inline-suppr --std=c11 --max-configs=1 \
    --suppressions-list=cmake/cppcheck.txt -DNDEBUG -D__GNUC__=12 -D__x86_64__ \
    '-D_Noreturn=__attribute__((noreturn))' -Iinclude -Isrc -Iparts -Icli -Ibuild/release/include -j "$jobs" --quiet \
    --template='{file}:{line}: {severity}: {message} [{id}]' \
    2>"$out/cppcheck.txt" || true
report cppcheck ': (error|warning|performance|portability): '

# In plain C: gcc 12 takes shifts of vectors for shifts by more than their bits. Without optimization: functions that are
# inlined multiply the paths of kernels, which then do not end. It takes arrays that loops fill for uninitialised, so these
# are left to clang-tidy and valgrind.
cmake -S . -B "$out/gcc" -DBRISTLE_SCALAR=ON -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_C_FLAGS='-O0 -DNDEBUG -fanalyzer -Wno-analyzer-use-of-uninitialized-value' -DBRISTLE_WERROR=OFF -DBRISTLE_TESTS=OFF \
    -DBRISTLE_EXAMPLES=OFF >"$out/gcc.txt" 2>&1
cmake --build "$out/gcc" --clean-first -j "$jobs" >>"$out/gcc.txt" 2>&1 || { tail -n 20 "$out/gcc.txt"; exit 2; }
# it confuses the workers of an array, whose files read_all() closes; and takes parts of a tape for NULL, which the tape is
# not
sed -i -e '/studies\/workers\.c:.*-Wanalyzer-malloc-leak/d' -e '/sim\/rollout\.c:.*-Wanalyzer-null-argument/d' "$out/gcc.txt"
report gcc 'Wanalyzer-'
exit "$status"
