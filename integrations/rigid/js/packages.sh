#!/bin/sh
# Install the engines of package-lock.json into build/engines, if the lock file has changed. Exit status 77 if npm cannot
# get them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
packages=$(cd "$here/../../.." && pwd)/build/engines
command -v npm >/dev/null || { echo 'engines in JavaScript: skipped: there is no npm'; exit 77; }
mkdir -p "$packages"
if ! cmp -s "$here/package-lock.json" "$packages/package-lock.json" || [ ! -d "$packages/node_modules" ]; then
    cp "$here/package.json" "$here/package-lock.json" "$packages"
    (cd "$packages" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=5 >npm.log 2>&1) || {
        cat "$packages/npm.log" >&2
        rm -f "$packages/package-lock.json"
        echo 'engines in JavaScript: skipped: npm cannot get them'
        exit 77
    }
fi
