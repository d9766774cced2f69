#!/bin/sh
# Lines of the source that people read: .c .h .inc .py .pyi .js .mjs that git tracks in src, include, cli, parts,
# pictures and bindings, test folders not among them. Prints them by folder and in total.
# Arguments: the source folder (.); a commit to count instead of the working tree.
set -eu
cd "${1:-.}"
commit=${2:-}

list() {
    if [ -n "$commit" ]; then git ls-tree -r --name-only "$commit" -- "$@"; else git ls-files -- "$@"; fi |
        grep -E '\.(c|h|inc|py|pyi|js|mjs)$' | grep -vE '(^|/)tests?/'
}
count() {
    list "$@" | while read -r file; do
        if [ -n "$commit" ]; then git show "$commit:$file"; else cat "$file"; fi
    done | wc -l
}

for folder in src/*/ include cli parts pictures bindings/*/; do
    printf '%7d %s\n' "$(count "$folder")" "${folder%/}"
done
printf '%7d total\n' "$(count src include cli parts pictures bindings)"
