#!/usr/bin/env bash
# Oracle: an outside program. Install to a scratch prefix, build a program against it with
# find_package and with pkg-config, shared and static, run it; uninstall and see nothing left; make
# the Debian package and look inside. Arguments: source folder, build folder, C compiler.
set -eu
source=$1 build=$2 cc=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

cmake --install "$build" --prefix "$prefix" >/dev/null
for header in "$source"/include/bristle/*.h; do
    [ -e "$prefix/include/bristle/$(basename "$header")" ]
done

if [ -e "$prefix/bin/bristle" ]; then
    grep -q '^\.TH BRISTLE 1' "$prefix/share/man/man1/bristle.1"
    grep -q '^complete .*bristle$' "$prefix/share/bash-completion/completions/bristle"
    grep -q '^#compdef bristle' "$prefix/share/zsh/site-functions/_bristle"

    # studies and benchmarks are programs of their own: not there, unless requested; bristle-mpi where MPI is
    [ "$(ls "$prefix/bin" | grep -vx bristle-mpi)" = bristle ]
    "$prefix/bin/bristle" bench --list >"$scratch/printed" 2>&1 && { echo 'bench runs without its program'; exit 1; }
    grep -q 'make bench' "$scratch/printed"
    cmake --install "$build" --prefix "$scratch/programs" --component programs >/dev/null
    cp "$prefix/bin/bristle" "$scratch/programs/bin/"
    "$scratch/programs/bin/bristle" bench --list | grep -q '^law.eval/lugre$'
    "$scratch/programs/bin/bristle" reproduce --list | grep -q '^wk-fig5 '
fi

# what README and guide use is installed beside them
doc=$prefix/share/doc/bristle
for folder in scenarios examples; do
    (cd "$source" && find $folder -type f ! -name CMakeLists.txt ! -name "*.pyc") | while read -r file; do
        cmp "$source/$file" "$doc/$file"
    done
done
[ -s "$doc/docs/tutorial/guide.md" ] && [ -s "$doc/README.md" ]
if [ -e "$prefix/bin/bristle" ]; then
    (cd "$doc" && "$build/cli/bristle" check scenarios/*.yaml >/dev/null 2>&1)
fi

# the exports are ours alone, and all of them; those of contact_some.h are not public, but libbristle-sim needs them
library=$(echo "$prefix"/lib*/libbristle.so "$prefix"/lib*/*/libbristle.so | tr ' ' '\n' | grep -v '\*' | head -n 1)
libdir=$(dirname "$library")
shared=$(sed -n 's/^BR_API [^(]*[ *]\(bri_[a-z_]*\)(.*/\1/p' "$source/src/planar/contact_some.h" | paste -sd '|')
[ "$(echo "$shared" | tr '|' '\n' | wc -l)" -eq "$(grep -c '^BR_API' "$source/src/planar/contact_some.h")" ]
strangers=$(nm -D --defined-only "$library" | awk '{print $3}' | grep -vE "^(br_|($shared)\$)" || true)
[ -z "$strangers" ] || { echo "exported but not ours: $strangers"; exit 1; }
needed=$(objdump -p "$library" | awk '/NEEDED/ {print $2}' | grep -vE '^(libm|libc)\.so' || true)
[ -z "$needed" ] || { echo "libbristle needs more than libm: $needed"; exit 1; }

echo '-- find_package'
cmake -S "$source/test/install" -B "$scratch/outside" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" >/dev/null
cmake --build "$scratch/outside" >/dev/null
for program in shared static; do
    "$scratch/outside/outside-$program"
done

echo '-- pkg-config'
export PKG_CONFIG_PATH="$libdir/pkgconfig"
[ "$(pkg-config --modversion bristle-sim)" = "$(cat "$source/VERSION")" ]
$cc -std=c17 "$source/test/install/outside.c" -o "$scratch/pc-shared" \
    $(pkg-config --cflags --libs bristle-sim bristle)
LD_LIBRARY_PATH=$libdir "$scratch/pc-shared"
for example in "$doc"/examples/*.c; do
    if grep -qE "glpk.h|Clp_C_Interface.h" "$example"; then # needs a solver besides; tests example.standing_* build it
        continue
    fi
    $cc -std=c17 "$example" -o "$scratch/example" -pthread \
        $(pkg-config --cflags --libs bristle-scenario bristle-fit bristle-sim bristle) -lm
    LD_LIBRARY_PATH=$libdir "$scratch/example" >/dev/null
done
flags=$(pkg-config --static --cflags --libs bristle-sim bristle)
$cc -std=c17 "$source/test/install/outside.c" -o "$scratch/pc-static" \
    $(echo "$flags" | sed 's/-lbristle-sim/-l:libbristle-sim.a/g; s/-lbristle\b/-l:libbristle.a/g')
"$scratch/pc-static"

echo '-- uninstall'
cmake --build "$build" --target uninstall >/dev/null
rest=$(find "$prefix" -type f -o -type l)
[ -z "$rest" ] || { echo "left behind: $rest"; exit 1; }

if command -v dpkg-shlibdeps >/dev/null && [ -e /etc/debian_version ]; then
    echo '-- Debian package'
    (umask 077 && cd "$build" && cpack -G DEB -B "$scratch/package" >/dev/null)
    package=$(echo "$scratch"/package/*.deb)
    closed=$(dpkg-deb -c "$package" | grep -vE '^(drwxr-xr-x|-rw[x-]r-[x-]r-[x-]|l)' || true)
    [ -z "$closed" ] || { echo "not for all users: $closed"; exit 1; }
    [ "$(dpkg-deb -c "$package" | grep -o 'usr/bin/.\+' | grep -vx usr/bin/bristle-mpi)" = usr/bin/bristle ]
    dpkg-deb -c "$package" | grep -q 'usr/share/zsh/vendor-completions/_bristle$'
    dpkg-deb -c "$package" | grep -q 'include/bristle/bristle.h'
    dpkg-deb -f "$package" Depends | grep -q libc6
    # what Debian's policy requires of every package with libraries and manual pages
    for file in copyright changelog.gz CHANGELOG.md; do
        dpkg-deb -c "$package" | grep -q " ./usr/share/doc/bristle/$file\$"
    done
    if [ -e "$build/cli/bristle" ]; then
        dpkg-deb -c "$package" | grep -q ' ./usr/share/man/man1/bristle.1.gz$'
    fi
    dpkg-deb --ctrl-tarfile "$package" | tar -xO ./shlibs | grep -qE '^libbristle [0-9.]+ bristle '
    dpkg-deb --ctrl-tarfile "$package" | tar -xO ./triggers | grep -qx 'activate-noawait ldconfig'
fi

if git -C "$source" rev-parse HEAD >/dev/null 2>&1; then
    echo '-- list of components'
    # the list is valid JSON, and a library that is not in it is found
    sh "$source/cmake/sbom.sh" "$build"/libbristle.so >"$scratch/list.json"
    /usr/bin/python3 -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["packages"]) > 3' "$scratch/list.json"
    sh "$source/cmake/sbom.sh" "$scratch/absent.so" >/dev/null 2>&1 && { echo 'a file that is absent is accepted'; exit 1; }
    echo 'int stranger(void) { return 0; }' >"$scratch/stranger.c"
    echo 'int stranger(void); int main(void) { return stranger(); }' >"$scratch/uses.c"
    $cc -shared -fPIC "$scratch/stranger.c" -o "$scratch/libstranger.so"
    $cc "$scratch/uses.c" -o "$scratch/uses" -L"$scratch" -lstranger
    sh "$source/cmake/sbom.sh" "$scratch/uses" >/dev/null 2>"$scratch/printed" && { echo 'libstranger is not found'; exit 1; }
    grep -q 'not in the list of cmake/sbom.sh: libstranger.so' "$scratch/printed"
fi
echo ok
