#!/bin/sh
# Build the module and bristle.js into build/wasm, made smaller by wasm-opt (binaryen) where it is there. 77 where
# clang, lld or wasi-libc are missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
made=$root/build/wasm

if ! echo '#include <math.h>' | clang --target=wasm32-wasi -E - >/dev/null 2>&1 ||
    ! command -v wasm-ld >/dev/null; then
    echo 'no clang, lld and wasi-libc: skipped' >&2
    exit 77
fi

build() { # PRESET FILE
    { cmake --preset "$1" && cmake --build --preset "$1" -j "${JOBS:-2}"; } >"$root/build/$1.log" 2>&1 ||
        { cat "$root/build/$1.log"; exit 1; }
    linked=$root/build/$1/bindings/wasm/bristle.wasm
    [ ! -e "$made/$2" ] || [ "$linked" -nt "$made/$2" ] || return 0
    if command -v wasm-opt >/dev/null; then
        # -Oz would write a constant anew wherever it is used; low memory is the far end of the stack, which no
        # address is computed from
        wasm-opt -Os --converge --low-memory-unused --enable-mutable-globals --enable-bulk-memory \
            --enable-simd "$linked" -o "$made/$2"
    else
        cp "$linked" "$made/$2"
    fi
}

cd "$root"
mkdir -p "$made"
build wasm-plain bristle.wasm
build wasm-simd bristle-simd.wasm
cp "$here"/bristle/*.js "$here/package.json" "$here/tsconfig.json" "$made"
