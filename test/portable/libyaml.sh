#!/bin/sh
# libyaml for another C library or processor, from Debian's source package: libyaml.sh COMPILER FOLDER. Leaves yaml.h,
# libyaml.a and yaml-0.1.pc in FOLDER, which is PKG_CONFIG_LIBDIR for CMake. Lists of packages stay in FOLDER, too:
# nothing of the system changes.
set -eu
compiler=$1 folder=$2
[ ! -e "$folder/yaml-0.1.pc" ] || exit 0
sources=$(dirname "$folder")/libyaml-source
mkdir -p "$folder" "$sources/lists/partial"
apt="apt-get -q -o Dir::Etc::sourcelist=$sources/debian.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$sources/lists"

if [ ! -e "$sources/unpacked/include/yaml.h" ]; then
    . /etc/os-release
    mirror=$(grep -rhE '^(URIs:|deb )' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null |
        grep -oE 'https?://[^ ]*/(debian|ubuntu)/?( |$)' | head -n 1)
    case $ID in
    ubuntu) key=ubuntu default=http://archive.ubuntu.com/ubuntu ;;
    *) key=debian default=http://deb.debian.org/debian ;;
    esac
    echo "deb-src [signed-by=/usr/share/keyrings/$key-archive-keyring.gpg] ${mirror:-$default} $VERSION_CODENAME main" >"$sources/debian.list"
    $apt update >&2
    (cd "$sources" && $apt --download-only source libyaml >&2)
    mkdir -p "$sources/unpacked"
    tar -xf "$sources"/libyaml_*.orig.tar.* -C "$sources/unpacked" --strip-components=1
fi

version=$(sed -n 's/.*AC_INIT(\[yaml\],\[*\([0-9.]*\)\].*/\1/p; s/^m4_define(\[YAML_\(MAJOR\|MINOR\|PATCH\)\], \([0-9]*\))/\2/p' \
    "$sources/unpacked/configure.ac" | paste -sd. -)
major=${version%%.*} rest=${version#*.}
for source in "$sources"/unpacked/src/*.c; do
    "$compiler" -O2 -fPIC -I"$sources/unpacked/include" -DYAML_VERSION_STRING="\"$version\"" -DYAML_VERSION_MAJOR="$major" \
        -DYAML_VERSION_MINOR="${rest%%.*}" -DYAML_VERSION_PATCH="${rest#*.}" -DYAML_DECLARE_STATIC -w \
        -c "$source" -o "$folder/$(basename "$source" .c).o"
done
ar rcs "$folder/libyaml.a" "$folder"/*.o
cp "$sources/unpacked/include/yaml.h" "$folder/"
printf 'Name: yaml\nDescription: YAML parser\nVersion: %s\nLibs: -L%s -lyaml\nCflags: -I%s\n' \
    "$version" "$folder" "$folder" >"$folder/yaml-0.1.pc"
