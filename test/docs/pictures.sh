#!/usr/bin/env bash
# Pages with pictures hold together: each picture that a page of docs, scenarios or examples shows is there, small copies are
# small and link to large ones, and the pages of docs/reproduction have every item of the papers.
# Arguments: source folder, the command.
set -u
cd "$1" || exit 1
bristle=$2
failed=0
complain() { echo "$*"; failed=1; }

# every picture is there, and says in words what it shows
pages=$(find README.md docs scenarios examples -name '*.md')
count=0
while IFS='	' read -r page text picture; do
    count=$((count + 1))
    [ -e "$(dirname "$page")/$picture" ] || complain "$page: no picture $picture"
    [ "${#text}" -ge 5 ] || complain "$page: $picture has no text that says what it shows"
done < <(grep -HoE '!\[[^]]*\]\([^)]*\)' $pages | sed 's/^\([^:]*\):!\[\([^]]*\)\](\(.*\))$/\1\t\2 \t\3/' | grep -v '	http')
[ "$count" -ge 50 ] || complain "only $count pictures found"

# a figure of a page of docs has a caption below: a line that starts with *
while IFS= read -r place; do
    complain "$place has no caption"
done < <(find docs -name '*.md' ! -path '*/reproduction/*' -exec awk '
    waits && NF {if ($0 !~ /^\*[^*]/) print where; waits = 0}
    /^!\[.*figures\/[a-z_]*\.png\)$/ {waits = 1; where = FILENAME ": " $0}' {} +)

# small pictures: below 20 kB, and those of docs/reproduction have a large one of the same name
for picture in docs/reproduction/small/*.png docs/figures/scenarios/*.png; do
    [ -e "$picture" ] || continue
    [ "$(wc -c <"$picture")" -lt 20000 ] || complain "$picture is larger than 20 kB"
done
for picture in docs/reproduction/*.png; do
    [ -e "docs/reproduction/small/$(basename "$picture")" ] || complain "$picture has no small copy"
done

# every scenario, patch and example is in its index, with its picture
for file in scenarios/*.yaml scenarios/wk/*.yaml scenarios/patches/*.yaml examples/*.c examples/*.cpp examples/python/*.py; do
    index=${file%%/*}/README.md
    grep -qF "](${file#*/})" "$index" || complain "$index: no row for $file"
done
[ "$(grep -c '!\[.*figures/scenarios/' scenarios/README.md)" -eq "$(ls scenarios/*.yaml scenarios/*/*.yaml | wc -l)" ] ||
    complain "scenarios/README.md: not a picture for each file"

# every item of the papers has a row in a page, those that are computed a section; the summary stays short
[ "$(wc -l <docs/reproduction/summary.md)" -le 60 ] || complain "summary.md has more than 60 lines"
items=0
while read -r name _; do
    items=$((items + 1))
    grep -qE "^\| (\[$name\]\(#$name\)|$name) \|" docs/reproduction/*.md || complain "docs/reproduction: no row for $name"
done < <("$bristle" reproduce --list | grep -oE '^[a-z]+-[a-z0-9]+ +[a-zA-Z]+')
[ "$items" -ge 50 ] || complain "only $items items in bristle reproduce --list"
for name in $(grep -hoE '\]\([a-z]+\.md#[a-z0-9-]+\)' docs/reproduction/summary.md | tr -d '()]' | grep -v '#claims'); do
    grep -q "<a id=\"${name#*#}\">" "docs/reproduction/${name%#*}" || complain "summary.md: no section $name"
done
exit $failed
