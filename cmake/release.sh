#!/bin/sh
# Build everything that a release consists of into build/release-VERSION: release.sh [--tag]. RELEASING.md has the steps.
# From a clean tree alone; with --tag it also tags the commit. All files are built from the source archive, unpacked in
# build/release-source, so nothing of an older build is in them. Twice from the same commit it gives the same bytes: times in
# archives are that of the commit.
set -eu
cd "$(dirname "$0")/.."
version=$(cat VERSION)
out=$PWD/build/release-$version
tree=$PWD/build/release-source

[ -z "$(git status --porcelain)" ] || { echo 'release: there are changes that are not committed' >&2; exit 1; }
grep -q "^## $version (20" CHANGELOG.md ||
    { echo "release: CHANGELOG.md has no line \"## $version (20YY-MM-DD)\"" >&2; exit 1; }
grep -q "^version: $version\$" CITATION.cff || { echo 'release: CITATION.cff has another version' >&2; exit 1; }
grep -q "^  version = {$version},\$" README.md && grep -q "^Version ${version}[;.]" README.md ||
    { echo "release: README.md does not have \"Version $version;\", or another version in its citation" >&2; exit 1; }

# what is built depends neither on the user's settings nor on the machine's
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
unset CFLAGS CPPFLAGS LDFLAGS BRISTLE_WITHOUT
rm -rf "$out" "$tree"
mkdir -p "$out" "$tree"

# pack NAME ARCHIVE: the folder NAME of $tree, with nothing of this machine or today
pack() {
    tar -C "$tree" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
        -cf - "$1" | gzip -n9 >"$out/$2"
}

git -c tar.umask=0022 archive --format=tar --prefix="bristle-$version/" HEAD | gzip -n9 >"$out/bristle-$version-source.tar.gz"
tar -C "$tree" -xzf "$out/bristle-$version-source.tar.gz"
source=$tree/bristle-$version
build() { make --no-print-directory -C "$source" "$1"; }

build package
cp "$source"/build/release/*_"$version"_*.deb "$out/"
build wheel
cp "$source"/build/bristle-"$version"-*.whl "$out/"
build wasm
build amalgamation
for name in wasm rigid amalgamation; do # rigid: friction for engines in JavaScript
    mv "$source/build/$name" "$tree/bristle-$name-$version"
    cp LICENSE "$tree/bristle-$name-$version/"
    pack "bristle-$name-$version" "bristle-$name-$version.tar.gz"
done
sh cmake/sbom.sh "$source"/build/release/libbristle*.so "$source/build/release/cli/bristle" \
    "$(find "$source/build/python" -name '_core*.so')" >"$out/bristle-$version.spdx.json"
# last, since it takes the folder's name: setuptools stores times and owners of files in the source distribution of Python
mv "$source" "$tree/source"
tar -C "$tree" -xf "$tree/source/build/bristle-$version.tar.gz"
pack "bristle-$version" "bristle-$version.tar.gz"
rm -rf "$tree"
(cd "$out" && sha256sum -- * >SHA256SUMS)
[ "${1:-}" != --tag ] || git tag -a "v$version" -m "bristle $version"
ls -l "$out"
