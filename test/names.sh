#!/usr/bin/env bash
# What leaves a file of the libraries starts with br_ (public) or bri_ (internal): nothing that an engine
# which links them statically may have, too. Arguments: the archives.
set -eu
command -v nm >/dev/null || { echo 'no nm: skipped'; exit 77; }
for archive in "$@"; do
    names=$(nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }')
    [ -n "$names" ] || { echo "$archive: no names at all"; exit 1; }
    # other names: those of sanitizers and coverage
    if grep -vE '^(br_|bri_|_|gcov|llvm)' <<<"$names"; then
        echo "$archive: these names have no prefix"
        exit 1
    fi
done
echo ok
