#!/bin/sh
# What changed in the binary interface of the libraries since another commit: abi.sh [REVISION], by default the last tag.
# Prints abidiff's report of each library. Exit code 0: nothing changed or things were added; 1: callers must be compiled
# again, so the minor version rises (RELEASING.md).
set -eu
cd "$(dirname "$0")/.."
revision=${1:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
if [ -z "$revision" ]; then
    echo 'abi: nothing is released yet; name a commit to compare with: make abi SINCE=REVISION'
    exit 0
fi
work=$PWD/build/abi
rm -rf "$work"
mkdir -p "$work"

# build TREE NAME: the shared libraries of a tree, with debug information, in build/abi/NAME
build() {
    cmake -S "$1" -B "$work/$2" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS='-O1 -g' -DBRISTLE_TESTS=OFF \
        -DBRISTLE_EXAMPLES=OFF >"$work/$2.log" 2>&1 &&
        cmake --build "$work/$2" -j "$(nproc)" >>"$work/$2.log" 2>&1 || { cat "$work/$2.log" >&2; exit 2; }
}

mkdir "$work/source"
git archive "$revision" | tar -x -C "$work/source"
build "$work/source" old
build . new

status=0
for library in "$work"/new/libbristle*.so; do
    name=$(basename "$library")
    [ -e "$work/old/$name" ] || { echo "$name: new"; continue; }
    # bit 8 of abidiff's exit code: an incompatible change
    code=0
    abidiff --headers-dir1 "$work/source/include" --headers-dir2 include "$work/old/$name" "$library" >"$work/$name.txt" || code=$?
    [ "$code" -ne 0 ] || { echo "$name: unchanged"; continue; }
    echo "$name: $(sed -n 's/^Functions changes summary: //p' "$work/$name.txt")"
    cat "$work/$name.txt"
    [ $((code & 8)) -eq 0 ] || status=1
done
exit "$status"
