#!/bin/sh
# Write docs/reproduction.md and its pictures: reproduction.sh OURS PUBLISHED DOCS, the folders of
# `bristle reproduce all` and `bristle reproduce all --as-published`, and where to write.
set -eu
ours=$1 published=$2 docs=$3

# name|title|verdict of each item of a report
summary() {
    sed -n 's/^| \[\([^]]*\)\](#[^)]*) | \(.*\) | \([^|]*\) |$/\1|\2|\3/p' "$1/report.md"
}

# the items of a report, one heading lower
items() {
    sed -n '/^<a id=/,$p' "$1/report.md" | sed 's/^## /### /'
}

mkdir -p "$docs/reproduction"
rm -f "$docs"/reproduction/*.png
for picture in "$ours"/*.png; do
    # line drawings need few colours, and documents small files
    convert "$picture" -strip +dither -colors 64 "PNG8:$docs/reproduction/$(basename "$picture")"
done

verdicts=$(mktemp)
trap 'rm -f "$verdicts"' EXIT
summary "$published" >"$verdicts"
{
    cat <<'END'
# Reproduction of published figures and tables

`make reproduce` wrote this page; do not edit it. W&K: Waltersson & Karayiannidis; X&C: Xie &
Chakraborty; H+: Huang et al.; S: Savin. "Ours": bristle's own defaults. "As published": the published
protocol to the letter (zero-order hold of 10 ms, cell grids, truncated tables, no guard). A number
without tolerance, such as a timing, is shown for context; an item without any is shown.

## Verdicts

| item | | ours | as published |
|---|---|---|---|
END
    summary "$ours" | while IFS='|' read -r name title verdict; do
        echo "| [$name](#$name) | $title | $verdict | $(sed -n "s/^$name|.*|//p" "$verdicts") |"
    done
    printf '\n## Ours\n\n'
    items "$ours" | sed 's/^\(!\[.*\](\)\([^)]*\.png)\)$/\1reproduction\/\2/'
    printf '## As published\n\n'
    items "$published" | sed '/^<a id=/d; /^!\[/d' | cat -s
} >"$docs/reproduction.md"
