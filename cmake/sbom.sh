#!/bin/sh
# The list of what is in bristle and what it links to, as SPDX 2.3 (JSON), on standard output. Nothing of others is in the
# sources; libraries of the system are linked.
set -eu
cd "$(dirname "$0")/.."
version=$(cat VERSION)
created=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" +%Y-%m-%dT%H:%M:%SZ)

# name, licence, what uses it
others() {
    cat <<'END'
libyaml MIT libbristle-scenario
cminpack LicenseRef-Minpack libbristle-fit
END
}

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
    others | while read -r name licence _; do
        printf ',\n    {"SPDXID": "SPDXRef-%s", "name": "%s", "downloadLocation": "NOASSERTION", "filesAnalyzed": false,\n' "$name" "$name"
        printf '     "licenseConcluded": "%s", "licenseDeclared": "%s", "copyrightText": "NOASSERTION"}' "$licence" "$licence"
    done)
  ],
  "hasExtractedLicensingInfos": [
    {"licenseId": "LicenseRef-Minpack", "extractedText": "Minpack Copyright Notice (1999) University of Chicago; a BSD licence."}
  ],
  "relationships": [
    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-bristle"}$(
    others | while read -r name _ user; do
        printf ',\n    {"spdxElementId": "SPDXRef-bristle", "relationshipType": "DYNAMIC_LINK", "relatedSpdxElement": "SPDXRef-%s",' "$name"
        printf ' "comment": "%s"}' "$user"
    done)
  ]
}
END
