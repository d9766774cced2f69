#!/bin/sh
# The list of what is in bristle and what it links to, as SPDX 2.3 (JSON), on standard output: sbom.sh [FILE...]. Nothing of
# others is in the sources; libraries of the system are linked. With programs and shared libraries as arguments it fails if
# one of them needs a library that is not in the list.
set -eu
cd "$(dirname "$0")/.."
version=$(cat VERSION)
created=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" +%Y-%m-%dT%H:%M:%SZ)

# name|licence|relation|what uses it|files of the shared library
others() {
    cat <<'END'
glibc|LGPL-2.1-or-later|DYNAMIC_LINK|libraries, command and Python package|libc.so.6 libm.so.6 ld-linux-x86-64.so.2
libyaml|MIT|DYNAMIC_LINK|libbristle-scenario, Python package|libyaml-0.so.2
cminpack|Minpack|DYNAMIC_LINK|libbristle-fit, Python package|libcminpack.so.1
wasi-libc|MIT|STATIC_LINK|WebAssembly modules: functions of musl|
numpy|BSD-3-Clause|DEPENDS_ON|Python package|
yaml|ISC|DEPENDS_ON|yaml.js beside the WebAssembly module: the package of npm|
END
}

listed=$(others | cut -d '|' -f 5)
needed=$(for file; do objdump -p "$file" || exit 1; done)
unlisted=$(echo "$needed" | awk '/NEEDED/ {print $2}' | sort -u | grep -v '^libbristle' |
    while read -r library; do
        case " $(echo $listed) " in
        *" $library "*) ;;
        *) echo "$library" ;;
        esac
    done)
[ -z "$unlisted" ] || { echo "sbom: linked, but not in the list of cmake/sbom.sh:" $unlisted >&2; exit 1; }

cat <<END
{
  "spdxVersion": "SPDX-2.3",
  "dataLicense": "CC0-1.0",
  "SPDXID": "SPDXRef-DOCUMENT",
  "name": "bristle-$version",
  "documentNamespace": "https://spdx.org/spdxdocs/bristle-$version-$(git rev-parse HEAD)",
  "creationInfo": {"created": "$created", "creators": ["Organization: The bristle developers"]},
  "packages": [
    {"SPDXID": "SPDXRef-bristle", "name": "bristle", "versionInfo": "$version", "downloadLocation": "NOASSERTION",
     "filesAnalyzed": false, "licenseConcluded": "MIT", "licenseDeclared": "MIT", "copyrightText": "NOASSERTION"}$(
    others | while IFS='|' read -r name licence _; do
        printf ',\n    {"SPDXID": "SPDXRef-%s", "name": "%s", "downloadLocation": "NOASSERTION", "filesAnalyzed": false,\n' "$name" "$name"
        printf '     "licenseConcluded": "%s", "licenseDeclared": "%s", "copyrightText": "NOASSERTION"}' "$licence" "$licence"
    done)
  ],
  "relationships": [
    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-bristle"}$(
    others | while IFS='|' read -r name _ relation user _; do
        printf ',\n    {"spdxElementId": "SPDXRef-bristle", "relationshipType": "%s", "relatedSpdxElement": "SPDXRef-%s",' "$relation" "$name"
        printf ' "comment": "%s"}' "$user"
    done)
  ]
}
END
