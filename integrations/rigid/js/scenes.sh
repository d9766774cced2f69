#!/bin/sh
# Build friction for engines in JavaScript and put it beside the engines, the scenes and the tests, in
# build/rigid-scenes; with arguments also print the table of `make engines`: scenes.sh table [ARGUMENTS of table.mjs].
# Exit status 77 if something is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
to=$root/build/rigid-scenes

command -v node >/dev/null || { echo 'engines in JavaScript: skipped: there is no node'; exit 77; }
sh "$here/packages.sh"
sh "$root/bindings/wasm/make.sh"
rm -rf "$to"
mkdir -p "$to"
cp -r "$root"/build/rigid/. "$here/scenes" "$here/examples" "$here/test" "$to"
ln -s "$root/build/engines/node_modules" "$to/node_modules"
if [ "${1:-}" = table ]; then
    shift
    exec node "$to/scenes/table.mjs" "$@"
fi
