#!/bin/sh
# Oracle: the library itself. bristle.c alone, by every compiler that is there, gives what the examples print with the
# library; C++ takes bristle.h; the wasm module compiles.
#   amalgamation.sh SOURCE BUILD CC
set -eu
source=$1 build=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$source/cmake/amalgamate.py" "$source" "$work"
mkdir "$work/bristle"
cp "$work/bristle.h" "$work/bristle/" # the examples include <bristle/bristle.h>
cd "$work"

for compiler in "$cc" clang; do
    command -v "$compiler" >/dev/null || { echo "skipped: no $compiler"; continue; }
    "$compiler" -std=c17 -O1 -ffp-contract=off -Wall -Wextra -Werror -c bristle.c -o bristle.o
    for example in own_loop patch_numbers; do
        "$compiler" -I. "$source/examples/$example.c" bristle.o -lm -o "$example"
        "./$example" >ours
        "$build/examples/example-$example" >library
        cmp ours library
        echo "$compiler: $example prints the same"
    done
done

cat >use.cpp <<'END'
#include "bristle.h"
int main()
{
    const br_law law = br_law_from_mu(0.3, 0.04, 0.5, 4.9);
    double z = 0.0;
    return br_law_step(&law, &z, 0.1, 4.9, 1e-3) > 0.0 ? 0 : 1;
}
END
if command -v g++ >/dev/null; then
    g++ -Wall -Wextra -Werror -c use.cpp
    "$cc" use.o bristle.o -lm -o use
    ./use
    echo 'g++: bristle.h is C++, too'
else
    echo 'skipped: no g++'
fi

# scalars alone, and the compiler of the wasm module
"$cc" -std=c17 -O0 -DVECTOR_LANES=1 -fsyntax-only bristle.c
if command -v clang >/dev/null && [ -d /usr/include/wasm32-wasi ]; then
    clang --target=wasm32-wasi -std=c17 -O1 -c bristle.c -o wasm.o
    echo 'wasm: compiled'
else
    echo 'skipped: no C library for wasm'
fi
