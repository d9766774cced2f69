#!/bin/bash
# bristle reproduce: names, files, report, and an exit status that tells when a verdict is bad.
. "$(dirname "$0")/lib.sh"
command -v gnuplot >/dev/null || exit 77

# expect_report REGEX: a line of out/report.md
expect_report() {
    grep -Eq -- "$1" out/report.md || fail "the report does not match: $1"
}

# every figure and table that was asked for is in the list, once
expect_exit 0 "$bristle" reproduce --list
for name in wk-fig{5,6,8,9,10,13,14,15,17,{19..37}} wk-table{2,4,5,6} xc-fig{2,3} xc-time \
    h-fig{5,6,7} s-cone; do
    [ "$(grep -c "^$name  *[a-z]" "$logs/out")" -eq 1 ] || fail "$name is not there once"
done
expect_files

expect_refused 'unknown name wk-fig55; did you mean wk-fig5\? see: bristle reproduce --list' \
    "$bristle" reproduce wk-fig55
expect_refused 'a name is missing, or all' "$bristle" reproduce
touch taken
expect_unwritten '-o taken: cannot be written: File exists' "$bristle" reproduce wk-fig8 -o taken
expect_unwritten '-o no/such: cannot be written: No such file or directory' "$bristle" reproduce wk-fig8 -o no/such
rm taken
expect_files

# two quick ones, whatever their order on the command line: the report keeps that of the papers
expect_exit 0 "$bristle" reproduce xc-fig2 wk-fig33 -o out
expect_stdout '^out/report.md: 2 agree, 0 shown, 0 differ, 0 could not be made$'
expect_stderr '^wk-fig33 .*agrees$'
[ "$(ls -A out | sort | tr '\n' ' ')" = 'report.md wk-fig33.csv wk-fig33.png xc-fig2.csv xc-fig2.png ' ] ||
    fail "not the files of two items"
[ "$(head -c 8 out/wk-fig33.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail "no PNG"
[ "$(head -1 out/wk-fig33.csv)" = surface,fn,x,y,pressure ] || fail "not the columns of Fig 33"
[ "$(wc -l <out/wk-fig33.csv)" -eq $((1 + 8 * 21 * 21)) ] || fail "not the rows of Fig 33"
expect_report 'with its own defaults'
expect_report '^\| \[xc-fig2\]\(#xc-fig2\) \| a slider slides freely \| agrees \|$'
expect_report '^\| pose, velocity and ECP, .* \| 1e-10 \| agrees \|$'
expect_report '^!\[a slider slides freely\]\(xc-fig2.png\)$'
[ "$(grep -n '^## ' out/report.md | cut -d' ' -f2 | tr '\n' ' ')" = 'wk-fig33: xc-fig2: ' ] ||
    fail "not in the order of the papers"

# nothing to compare with is not an agreement
expect_exit 0 "$bristle" reproduce wk-fig26 -o shown
expect_stderr '^wk-fig26 .*shown$'
grep -q '^| \[wk-fig26\].* | shown |$' shown/report.md || fail "Fig 26 was judged"

# the published protocol: other cells at the rim
cp out/wk-fig33.csv ours.csv
expect_exit 0 "$bristle" reproduce wk-fig33 -o out --as-published --quiet
expect_quiet
expect_report 'following the published protocols to the letter'
! cmp -s ours.csv out/wk-fig33.csv || fail "the published cells are those of the shape"

# one that cannot be made does not stop the others, and is told
rm -r out
mkdir -p out/xc-fig2.png
expect_exit 1 "$bristle" reproduce wk-fig8 xc-fig2 -o out
expect_stdout '^out/report.md: 1 agree, 0 shown, 0 differ, 1 could not be made$'
expect_stderr '^xc-fig2 .*FAILED$'
expect_report '^\| .*xc-fig2.* \| \*\*could not be made\*\* \|$'
expect_report '^\| .*wk-fig8.* \| agrees \|$'

# a program that compares with wrong numbers says so: the share of a cell of the square is 1/441
LC_ALL=C sed 's/0\.00226757369/0.00226757379/g' "$bristle-reproduce" >wrong
chmod +x wrong
expect_exit 1 ./wrong wk-fig8 wk-fig33 -o out
expect_stdout ': 1 agree, 0 shown, 1 differ, 0 could not be made$'
expect_report '^\| .*Square.* \| 1e-1[0-9] \| 1e-15 \| \*\*differs\*\* \|$'
expect_report '^\| \[wk-fig8\].* \| \*\*differs\*\* \|$'
expect_report '^\| \[wk-fig33\].* \| agrees \|$'
done_well
