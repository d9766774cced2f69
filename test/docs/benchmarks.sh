#!/usr/bin/env bash
# Oracle: tables with known numbers. docs/make/benchmarks.sh writes their ratios and ranges between the marks of docs/benchmarks.md,
# leaves the rest as it is, and refuses a table without a case. Cases of the page are cases of the benchmarks. Argument: source folder.
set -eu
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "$*"; exit 1; }
write="$source/docs/make/benchmarks.sh"
cp "$source/docs/benchmarks.md" page.md

# every case takes 1000 ns, its reference 2500 ns, the careful loop 30,000 ns
sed -n 's/^\([a-z]*\.[^	]*\)	.*/\1/p' "$write" | sort -u >cases
[ "$(wc -l <cases)" -ge 15 ]
{
    echo 'bristle 9.9.9  a compiler  a processor  31 runs'
    awk '{print $1, 1000, 1000, 1000, 2500, 2.5, 30000, "-", 0, 1}' cases
} >bench.txt
sh "$write" bench bench.txt page.md >/dev/null
grep -q "^Measured on $(date +%F), one core: bristle 9.9.9, a compiler, a processor, 31 runs" page.md || fail 'no machine'
grep -q '^| evaluation, 25 blocks | 1 us | .* | 2.5 us | 2.5 | `blocks.eval/disc5` |$' page.md || fail 'no row of blocks'
grep -q '^| evaluation, 373 cells, LuGre | 1 us | .* | 30 us | 30 | ' page.md || fail 'no row of the careful loop'

cat >models.txt <<'END'
| method | states | ns | Circle | Square | Line |
|---|---|---|---|---|---|
| one | 3 | 45 | 62.8/87.1 | 9.5/85.7 | 105.7/99.3 |
| reference | 720 | 767 | 0 | 0 | 0 |

| amplitude | method | Disc | Square | Line |
|---|---|---|---|---|
| 1 mm/s | one | 28.3/26.7 | 27.3/26.3 | 44.9/36.6 |
END
for i in 1 2 3 4 5 6; do echo "| 5 mm/s | case $i | 1.0/2.0 | 1.0/2.0 | 1.0/2.0 |"; done >>models.txt
sh "$write" models models.txt page.md >/dev/null
grep -qx '| stops and starts | one | 3 | 45 | 9.5 to 105.7 | 85.7 to 99.3 |' page.md || fail 'no range'
grep -qx '| stops and starts | reference | 720 | 767 | 0 | 0 |' page.md || fail 'no reference'
grep -qx '| sines of 1 mm/s | one | | | 27.3 to 44.9 | 26.3 to 36.6 |' page.md || fail 'no sines'

# a second time changes nothing; all outside of the marks is as it was
cp page.md once.md
sh "$write" bench bench.txt page.md >/dev/null
sh "$write" models models.txt page.md >/dev/null
cmp once.md page.md
outside() { sed -e '/^<!-- bench: start/,/^<!-- bench: end/d' -e '/^<!-- models: start/,/^<!-- models: end/d' "$1"; }
[ "$(outside page.md)" = "$(outside "$source/docs/benchmarks.md")" ] || fail 'text outside of the marks changed'

# the page has been written, and its cases exist
grep -q '^| stops and starts |' "$source/docs/benchmarks.md" || fail 'docs/benchmarks.md has no models'
sed -n 's/^| .* | `\([^`]*\)` |$/\1/p' "$source/docs/benchmarks.md" | grep -F / | sort -u >shown
[ "$(wc -l <shown)" -ge 15 ] || fail 'docs/benchmarks.md has no benchmarks'
while read -r case; do
    tail="${case##*/}"
    grep -qF -- "$tail" "$source"/bench/*.c || fail "no case $case in bench/"
done <shown

# a table that lacks a case is refused, and the page stays
grep -v '^blocks.eval' bench.txt >short.txt
if sh "$write" bench short.txt page.md >/dev/null 2>&1; then fail 'a table without a case is taken'; fi
cmp once.md page.md
