#!/usr/bin/env bash
# The README's code is tested: every yaml and c block is written to the file that its first line
# names, every sh block is run, in order, against an installed bristle.
# Arguments: source folder, build folder, C compiler, the command.
set -eu
source=$1 build=$2 cc=$3 bristle=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# staged, so that the files name the prefix they will have
DESTDIR=$scratch/stage cmake --install "$build" --prefix /opt/bristle >/dev/null
prefix=$scratch/stage/opt/bristle
libdir=$(dirname "$(find "$prefix" -name libbristle.so)")

mkdir "$scratch/bin" "$scratch/work"
ln -s "$bristle" "$scratch/bin/bristle"
ln -s "$(command -v "$cc")" "$scratch/bin/cc"
export PATH="$scratch/bin:$PATH" LD_LIBRARY_PATH="$libdir"
export PKG_CONFIG_PATH="$libdir/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$scratch/stage"
cd "$scratch/work"

# one file per fenced block: 01.yaml, 02.sh, ...
awk '/^```[a-z]/ {n++; file = sprintf("block%02d.%s", n, substr($0, 4)); next}
     /^```$/ {file = ""; next}
     file {print > file}' "$source/README.md"
[ "$(ls block*.sh block*.c block*.yaml | wc -l)" -ge 6 ]

for block in block*; do
    case $block in
    *.sh)
        echo "-- $(head -n 1 "$block")"
        bash -eu "$block" 2>&1 | tail -n 3
        [ "${PIPESTATUS[0]}" -eq 0 ]
        ;;
    *) # "# stick_slip.yaml: what it is" or "// slide.c: what it is"
        name=$(sed -n '1s/^[#\/]* *\([a-z_]*\.[a-z]*\).*/\1/p' "$block")
        [ -n "$name" ] || { echo "$block does not name its file in its first line"; exit 1; }
        cp "$block" "$name"
        ;;
    esac
done
./slide | grep -q 'came to rest after 0.167 m'
head -c 8 stick_slip.png | od -An -c | grep -q 'P   N   G'
for file in LICENSE CHANGELOG.md; do [ -e "$source/$file" ]; done
