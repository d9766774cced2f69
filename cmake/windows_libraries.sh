#!/bin/sh
# libyaml and cminpack for Windows, which Debian does not have: compiled from Debian's source packages.
# Argument: the folder for them, with include/ and lib/. Nothing is done where they are there already. apt gets the
# sources through its own settings in that folder; those of the system stay as they are.
set -eu
to=$1
cc=${CC:-x86_64-w64-mingw32-gcc}
ar=${AR:-x86_64-w64-mingw32-ar}
if [ -e "$to/lib/pkgconfig/yaml-0.1.pc" ] && [ -e "$to/lib/pkgconfig/cminpack.pc" ]; then
    exit 0
fi
mkdir -p "$to/lib/pkgconfig" "$to/include" "$to/apt/lists/partial"
to=$(cd "$to" && pwd)

# the same archives as for packages, for their sources
apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    grep -E '^deb-src [^ ]*/(debian|debian-security|ubuntu)/* ' | sort -u > "$to/apt/sources.list"
apt() {
    apt-get -q -o Dir::Etc::sourcelist="$to/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$to/apt/lists" -o APT::Sandbox::User= "$@" >> "$to/apt/log" 2>&1
}
unpack() { # SOURCE PACKAGE: to the folder of this name
    [ -s "$to/apt/updated" ] || { apt update && echo yes > "$to/apt/updated"; }
    (cd "$to/apt" && apt source --tar-only "$1") || { tail -5 "$to/apt/log" >&2; return 1; }
    mkdir -p "$to/$1"
    tar -xf "$(ls "$to/apt/$1"_*.orig.tar.*)" -C "$to/$1" --strip-components=1
}
version_of() { # SOURCE PACKAGE
    ls "$to/apt/$1"_*.orig.tar.* | sed 's/.*_\(.*\)\.orig.*/\1/'
}
archive() { # NAME, FOLDER, FLAGS...: lib/libNAME.a of all sources of a folder
    name=$1 folder=$2
    shift 2
    for source in "$folder"/*.c; do
        "$cc" -O2 -ffp-contract=off -w "$@" -c "$source" -o "${source%.c}.o"
    done
    "$ar" -rcs "$to/lib/lib$name.a" "$folder"/*.o
}
describe() { # PACKAGE, VERSION, NAME, FLAGS: lib/pkgconfig/PACKAGE.pc
    printf 'Name: %s\nDescription: %s for Windows\nVersion: %s\nLibs: -L%s -l%s\nCflags: -I%s %s\n' \
        "$1" "$1" "$2" "$to/lib" "$3" "$to/include" "$4" > "$to/lib/pkgconfig/$1.pc"
}

unpack libyaml
version=$(version_of libyaml)
archive yaml "$to/libyaml/src" -I"$to/libyaml/include" -I"$to/libyaml/src" -DYAML_DECLARE_STATIC \
    -DYAML_VERSION_STRING="\"$version\"" -DYAML_VERSION_MAJOR="${version%%.*}" \
    -DYAML_VERSION_MINOR="$(echo "$version" | cut -d. -f2)" -DYAML_VERSION_PATCH="${version##*.}"
cp "$to/libyaml/include/yaml.h" "$to/include"
describe yaml-0.1 "$version" yaml -DYAML_DECLARE_STATIC

unpack cminpack
mkdir -p "$to/cminpack/used" # double precision alone, without programs
for source in "$to"/cminpack/*.c; do
    case $source in
    *cminpack_example.c | */t*_.c | */*_test.c) ;;
    *) cp "$source" "$to/cminpack/used" ;;
    esac
done
archive cminpack "$to/cminpack/used" -I"$to/cminpack" -DCMINPACK_NO_DLL
cp "$to/cminpack/cminpack.h" "$to/cminpack/minpack.h" "$to/include"
describe cminpack "$(version_of cminpack)" cminpack -DCMINPACK_NO_DLL
