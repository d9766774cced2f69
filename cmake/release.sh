#!/bin/sh
# Build everything that a release consists of into build/release-VERSION: release.sh [--tag]. RELEASING.md has the steps.
# From a clean tree alone; with --tag it also tags the commit. Twice from the same commit it gives the same bytes: times in
# archives are that of the commit.
set -eu
cd "$(dirname "$0")/.."
version=$(cat VERSION)
out=build/release-$version

[ -z "$(git status --porcelain)" ] || { echo 'release: there are changes that are not committed' >&2; exit 1; }
grep -q "^## $version (20" CHANGELOG.md ||
    { echo "release: CHANGELOG.md has no line \"## $version (20YY-MM-DD)\"" >&2; exit 1; }
grep -q "^version: $version\$" CITATION.cff || { echo 'release: CITATION.cff has another version' >&2; exit 1; }

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
rm -rf "$out"
mkdir -p "$out/unpacked"

# pack FOLDER NAME ARCHIVE: NAME of FOLDER, with nothing of this machine, its umask or today
pack() {
    tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
        -cf - "$2" | gzip -n9 >"$out/$3"
}

git archive --format=tar --prefix="bristle-$version/" HEAD | gzip -n9 >"$out/bristle-$version-source.tar.gz"
make --no-print-directory package
cp build/release/*_"$version"_*.deb "$out/"
# setuptools stores times and owners of files in the source distribution of Python
rm -f build/bristle-*.whl build/bristle-*.tar.gz
make --no-print-directory wheel
cp build/bristle-"$version"-*.whl "$out/"
tar -C "$out/unpacked" -xf "build/bristle-$version.tar.gz"
pack "$out/unpacked" "bristle-$version" "bristle-$version.tar.gz"
rm -rf "$out/unpacked"
make --no-print-directory wasm
pack build/wasm . "bristle-wasm-$version.tar.gz"
make --no-print-directory amalgamation
pack build/amalgamation . "bristle-amalgamation-$version.tar.gz"
sh cmake/sbom.sh >"$out/bristle-$version.spdx.json"
(cd "$out" && sha256sum -- * >SHA256SUMS)
[ "${1:-}" != --tag ] || git tag -a "v$version" -m "bristle $version"
ls -l "$out"
