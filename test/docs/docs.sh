#!/usr/bin/env bash
# The documents' code is tested, against an installed bristle. Of each fenced block, in order:
#   yaml, c, csv, cmake, python   is written to the file that its first line names
#   sh                            is run, and must succeed
#   text                          are lines that the run before has printed; ... matches anything
#   bibtex                        has the title and the version of CITATION.cff and VERSION
# and a line "make TARGET" in a block without a language names a target of the Makefile.
# Arguments: source folder, build folder, C compiler, the command, the document.
set -eu
source=$1 build=$2 cc=$3 bristle=$4 document=$5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# staged, so that the files name the prefix they will have
DESTDIR=$scratch/stage cmake --install "$build" --prefix /opt/bristle >/dev/null
prefix=$scratch/stage/opt/bristle
libdir=$(dirname "$(find "$prefix" -name libbristle.so)")

mkdir "$scratch/bin" "$scratch/work"
ln -s "$bristle" "$scratch/bin/bristle"
ln -s "$(command -v "$cc")" "$scratch/bin/cc"
export PATH="$scratch/bin:$PATH" LD_LIBRARY_PATH="$libdir" CC="$cc"
export PKG_CONFIG_PATH="$libdir/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$scratch/stage"
export CMAKE_PREFIX_PATH="$prefix"
# README.md names the variables that its commands need
for variable in PATH PKG_CONFIG_PATH LD_LIBRARY_PATH; do
    [ "$document" != README.md ] || grep -q "\`$variable\`" "$source/README.md" || { echo "README.md does not name $variable"; exit 1; }
done
cd "$scratch/work"
ln -s "$prefix/share/doc/bristle/scenarios" scenarios

# one file per fenced block: block01.yaml, block02.sh, ...; without a language: .plain
awk '/^```/ && inside {inside = 0; close(file); next}
     /^```/ {inside = 1; n++; file = sprintf("block%02d.%s", n, length($0) > 3 ? substr($0, 4) : "plain")
             printf "" > file; next}
     inside {print > file}' "$source/$document"

fail() { echo "$document: $*"; exit 1; }

run() { # BLOCK
    echo "-- $(head -n 1 "$1")"
    bash -eu "$1" >output 2>&1 || { cat output; fail "$1 ended with $?"; }
    # nobody should be greeted with a warning
    [ "$document" != README.md ] || ! grep 'bristle: warning' output || fail "$1 warns"
}

check_printed() { # BLOCK
    local line pattern
    while read -r line; do
        pattern=$(printf '%s' "$line" | sed 's/[][\\.*^$(){}?+|]/\\&/g; s/\\\.\\\.\\\./.*/g')
        grep -Eq -- "$pattern" output || { cat output; fail "not printed: $line"; }
    done <"$1"
}

check_targets() { # BLOCK
    local target
    for target in $(sed -n 's/^make \([a-z][a-z-]*\).*/\1/p' "$1"); do
        grep -q "^$target:" "$source/Makefile" || fail "no target $target in the Makefile"
    done
}

check_citation() { # BLOCK
    local title
    title=$(sed -n 's/.*title *= {\(.*\)},*$/\1/p' "$1")
    [ -n "$title" ] && grep -qF "title: \"$title\"" "$source/CITATION.cff" || fail "title differs from CITATION.cff: $title"
    grep -qF "version = {$(cat "$source/VERSION")}" "$1" || fail "version differs from VERSION"
}

write() { # BLOCK; "# stick_slip.yaml: what it is" or "// out/slide.c: what it is"
    local name
    name=$(sed -n '1s/^[#\/]* *\([A-Za-z_][A-Za-z_\/]*\.[a-z]*\).*/\1/p' "$1")
    [ -n "$name" ] || fail "$1 does not name its file in its first line"
    mkdir -p "$(dirname "$name")"
    cp "$1" "$name"
}

runs=0
for block in block*; do
    case $block in
    *.sh) run "$block"; runs=$((runs + 1)) ;;
    *.text) check_printed "$block" ;;
    *.plain) check_targets "$block" ;;
    *.bibtex) check_citation "$block" ;;
    *.yaml | *.c | *.csv | *.cmake | *.python) write "$block" ;;
    *) fail "$block: a language that nobody runs" ;;
    esac
done
[ "$runs" -ge 1 ]

# who tries the README in the source folder finds it as it was: all files are in out/, which git ignores
if [ "$document" = README.md ]; then
    others=$(ls -A | grep -Ev '^(block.*|output|scenarios|out)$' || true)
    [ -z "$others" ] || fail "leaves files outside of out/: $(echo $others)"
    [ "$(ls out | wc -l)" -ge 6 ] || fail "out/ holds: $(ls out)"
    [ "$(wc -l <"$source/README.md")" -le 150 ] || fail "is longer than 150 lines"
fi

# pictures are pictures, and every file that the document links to is there
for picture in *.png out/*.png; do
    [ ! -e "$picture" ] || head -c 8 "$picture" | od -An -c | grep -q 'P   N   G'
done
links=$(grep -o '](\([^)#]*\)' "$source/$document" | sed 's/^](//' | grep -v '^http' || true)
for link in $links; do
    [ -e "$source/$(dirname "$document")/$link" ] || fail "links to $link, which is not there"
done
