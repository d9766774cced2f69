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
mkdir -p "$out"
git archive --format=tar --prefix="bristle-$version/" HEAD | gzip -n9 >"$out/bristle-$version.tar.gz"
make --no-print-directory package
cp build/release/*.deb "$out/"
make --no-print-directory wheel
cp build/*-"$version"*.whl build/*-"$version".tar.gz "$out/"
make --no-print-directory wasm
tar -C build/wasm --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - . |
    gzip -n9 >"$out/bristle-wasm-$version.tar.gz"
make --no-print-directory amalgamation
tar -C build/amalgamation --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - . |
    gzip -n9 >"$out/bristle-amalgamation-$version.tar.gz"
sh cmake/sbom.sh >"$out/bristle-$version.spdx.json"
(cd "$out" && sha256sum -- * >SHA256SUMS)
[ "${1:-}" != --tag ] || git tag -a "v$version" -m "bristle $version"
ls -l "$out"
