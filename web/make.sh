#!/bin/sh
# Build the page into build/web: the module, the npm packages as the lock file has them, the files beside this one.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
packages=$root/build/npm

sh "$root/bindings/wasm/make.sh"

# packages are installed again only when the lock file has changed
mkdir -p "$packages"
if ! cmp -s "$root/web/package-lock.json" "$packages/package-lock.json" || [ ! -d "$packages/node_modules" ]; then
    cp "$root/web/package.json" "$root/web/package-lock.json" "$packages"
    (cd "$packages" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=5 >npm.log 2>&1) || {
        cat "$packages/npm.log" >&2
        rm -f "$packages/package-lock.json"
        exit 1
    }
fi
node "$root/web/build.mjs" "$root/build/wasm" "$packages" "$root/build/web"
