#!/bin/sh
# The page in a real browser: web/test.sh BRISTLE [PATTERN], the command to compare with, and which tests.
# 77 where something is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)

for tool in node npm chromium clang wasm-ld; do
    command -v "$tool" >/dev/null || { echo "the page is not tested: there is no $tool"; exit 77; }
done
sh "$here/make.sh" || {
    # without network there are no packages, and that is no error of ours
    [ -d "$root/build/npm/node_modules" ] || { echo 'the page is not tested: npm cannot fetch its packages'; exit 77; }
    exit 1
}
node "$root/build/npm/node_modules/typescript/bin/tsc" -p "$here/test/types.json"
node "$here/test/parts.test.mjs"
mkdir -p "$root/build/web-test"
status=0
for file in "$here"/test/*.test.mjs; do
    [ "$file" != "$here/test/parts.test.mjs" ] || continue
    node ${2:+"--test-name-pattern=$2"} "$file" "$1" "$root/build/web" "$root/build/npm" "$root/build/web-test" || status=1
done
exit $status
