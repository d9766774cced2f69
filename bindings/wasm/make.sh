#!/bin/sh
# Build the module and bristle.js into build/wasm, and friction for engines in JavaScript (integrations/rigid/js) into
# build/rigid; optimised by wasm-opt (binaryen) if installed. Exit status 77 if clang, lld or wasi-libc are missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
made=$root/build/wasm
rigid=$root/build/rigid

if ! echo '#include <math.h>' | clang --target=wasm32-wasi -E - >/dev/null 2>&1 ||
    ! command -v wasm-ld >/dev/null; then
    echo 'no clang, lld and wasi-libc: skipped' >&2
    exit 77
fi

build() { # PRESET
    { cmake --preset "$1" && cmake --build --preset "$1" -j "${JOBS:-2}"; } >"$root/build/$1.log" 2>&1 ||
        { cat "$root/build/$1.log"; exit 1; }
}
optimise() { # LINKED MODULE
    [ ! -e "$2" ] || [ "$1" -nt "$2" ] || return 0
    if command -v wasm-opt >/dev/null; then
        # -Oz would repeat a constant at every use; low memory is the far end of the stack, from which no address is
        # computed
        wasm-opt -Os --converge --low-memory-unused --enable-mutable-globals --enable-bulk-memory \
            --enable-simd "$1" -o "$2"
    else
        cp "$1" "$2"
    fi
}

cd "$root"
mkdir -p "$made" "$rigid"
for kind in plain simd; do
    build wasm-$kind
    suffix=$([ $kind = plain ] || echo -simd)
    optimise "$root/build/wasm-$kind/bindings/wasm/bristle.wasm" "$made/bristle$suffix.wasm"
    optimise "$root/build/wasm-$kind/integrations/rigid/js/bristle-rigid.wasm" "$rigid/bristle-rigid$suffix.wasm"
done
# the signatures of the table that both bindings share, for calls.js
{
    echo '// From bindings/core/table.inc.'
    echo 'export const TABLE = ['
    { echo '#define CALL(name, kind, cost, part_cost, text) #name " " text'
      echo '#define MAKE(name, kind, text) #name " " text'
      echo '#include "table.inc"'
    } | clang --target=wasm32-wasi -E -P -I"$root/bindings/core" - | sed 's/" *"//g; s/^"/  "/; s/"$/",/'
    echo '];'
} >"$made/table.js"
cp "$here"/bristle/*.js "$here/package.json" "$here/tsconfig.json" "$made"
js=$root/integrations/rigid/js
cp "$js"/*.js "$here/bristle/errors.js" "$here/bristle/load.js" "$js/package.json" "$here/tsconfig.json" "$rigid"
# declarations for TypeScript, where its compiler was installed (make web, make engines)
for packages in "$root/build/npm" "$root/build/engines"; do
    tsc=$packages/node_modules/typescript/bin/tsc
    if [ -e "$tsc" ]; then
        node "$tsc" -p "$rigid" --noEmit false --declaration --emitDeclarationOnly --outDir "$rigid/types"
        break
    fi
done
