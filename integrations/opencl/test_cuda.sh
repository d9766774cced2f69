#!/bin/sh
# Oracle: nvcc. The generated CUDA source compiles, for 1 and 4 contacts, doubles and floats; it is not run. Argument: the source.
set -eu
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || { echo 'no nvcc: skipped'; exit 77; }
object=$(mktemp)
trap 'rm -f "$object"' EXIT
for contacts in 1 4; do
    for type in '' -DREAL_IS_FLOAT; do
        # 2361: constants are doubles in C++, which {1.0 / a} narrows to floats
        "$nvcc" -DCONTACTS=$contacts $type --diag-suppress 2361 -c "$1" -o "$object"
    done
done
