#!/bin/sh
# Build bristle.js and test it in Node: test.sh BRISTLE SCENARIOS SAME...: the command, its scenarios, and the programs
# that print C's numbers. Both modules, with and without simd128; types and YAML if their packages are in build/npm.
# Exit status 77 if something is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
made=$root/build/wasm
tested=$root/build/wasm-test
command=$1 scenarios=$2
shift 2

command -v node >/dev/null || { echo 'bristle.js is not tested: there is no node'; exit 77; }
sh "$here/make.sh"

# one copy with simd128 and its npm packages, one without
rm -rf "$tested"
mkdir -p "$tested/simd" "$tested/plain"
cp "$made"/*.js "$made"/*.json "$made"/*.wasm "$tested/simd"
cp "$made"/*.js "$made/package.json" "$made/bristle.wasm" "$tested/plain"
packages=$root/build/npm/node_modules
if [ -d "$packages" ]; then
    ln -s "$packages" "$tested/simd/node_modules"
    node "$packages/typescript/bin/tsc" -p "$tested/simd"
else
    echo 'types and YAML are not tested: their packages are not in build/npm (make web)'
fi

run_test() { # NAME ARGUMENTS...
    name=$1
    shift
    node "$here/test/$name.test.mjs" "$@" >"$tested/log" || { cat "$tested/log"; exit 1; }
    echo "$name: $(sed -n 's/^# \(tests\|pass\|skipped\) /\1 /p' "$tested/log" | tr '\n' ' ')"
}
run_test same "$tested/simd" "$@"
run_test same "$tested/plain" "$@"
run_test behaviour "$tested/simd" "$command" "$scenarios"

# friction for engines, without an engine
node "$root/integrations/rigid/js/test/rigid.test.mjs" "$root/build/rigid" \
    "$(! command -v wasm-opt >/dev/null || echo optimised)" >"$tested/log" || { cat "$tested/log"; exit 1; }
sed -n 's/^# bristle-rigid/bristle-rigid/p' "$tested/log"

# limits on the size of the module that a page downloads
check_size() { # FILE BYTES GZIPPED
    bytes=$(wc -c <"$made/$1") gzipped=$(gzip -9 -c "$made/$1" | wc -c)
    echo "$1: $bytes bytes, $gzipped gzipped"
    [ "$bytes" -le "$2" ] && [ "$gzipped" -le "$3" ] || { echo "$1: more than $2, $3 gzipped"; exit 1; }
}
if command -v wasm-opt >/dev/null; then
    check_size bristle-simd.wasm 592800 257400
    check_size bristle.wasm 567500 250400
fi
