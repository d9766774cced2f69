#!/usr/bin/env bash
# bench/compare: two commands in turns, their ratios, their noise. No time is asserted: the times are made up.
compare=$(realpath "$(dirname "$0")/../../bench/compare")
. "$(dirname "$0")/lib.sh"

# A command that lists three cases and gives, run by run, the times of a file, one a line.
make_command() { # NAME CASES...
    cat >"$1" <<END
#!/usr/bin/env bash
if [ "\$1" = --list ]; then printf '%s\n' ${*:2}; exit; fi
name=\${*: -1}
echo "$1" >>$here/order
ns=\$(head -n 1 $here/$1.times) && sed -i 1d $here/$1.times
echo '{"version": "1.0", "compiler": "cc", "cpu": "c", "cases": [{"name": "'\$name'", "ns": '\$ns'}]}'
END
    chmod +x "$1"
}

make_command old a.x gone a.y
make_command new a.x a.y fresh

# Oracle: computed manually. Ratios 2, 2.5, 1.5 and 1, 0.8, 1.25; each command is first in every other run.
printf '%s\n' 10 10 9 8 8 10 >old.times
printf '%s\n' 5 4 6 8 10 8 >new.times
expect_exit 0 "$compare" --runs 3 --json "$here/old" "$here/new"
/usr/bin/python3 -c '
import json, sys
t = json.load(sys.stdin)
x, y = t["cases"]
assert (x["name"], x["before_ns"], x["after_ns"], x["ratio"], x["verdict"]) == ("a.x", 9, 4, 2.25, "faster"), x
assert (x["median_ratio"], x["low_ratio"], x["high_ratio"]) == (2.0, 1.5, 2.5), x
assert (y["name"], y["ratio"], y["median_ratio"], y["verdict"]) == ("a.y", 1.0, 1.0, "same"), y
assert t["only_before"] == ["gone"] and t["only_after"] == ["fresh"] and t["runs"] == 3, t
assert t["before"] == t["after"] == {"version": "1.0", "compiler": "cc", "cpu": "c"}, t
' <"$logs/out" || fail "not the numbers of the made-up runs"
[ "$(head -n 6 order | tr '\n' ' ')" = 'old new new old old new ' ] || fail "not in turns"

printf '%s\n' 3 3 >old.times
printf '%s\n' 4 4 >new.times
expect_exit 0 "$compare" --runs 2 --only 'a.y' "$here/old" "$here/new"
expect_stdout '^case +before ns +after ns +ratio +median +low +high +verdict$'
expect_stdout '^a.y +3.0 +4.0 +0.75 +0.75 +0.75 +0.75 +slower$'
! grep -q a.x "$logs/out" || fail "--only a.y should leave out a.x"
printf '%s\n' 3 >old.times
printf '%s\n' 4 >new.times
expect_exit 0 "$compare" --runs 1 --only 'a.y' --markdown "$here/old" "$here/new"
expect_stdout '^\| a.y \| 3.0 \| 4.0 \| 0.75 \|'

# the command itself beside itself: the form alone
expect_exit 0 "$compare" --runs 1 --only law.eval/lugre "$bristle bench" "$bristle bench"
expect_stdout '^law.eval/lugre +[0-9.]+ +[0-9.]+ +[0-9.]+ .* (same|faster|slower)$'
expect_stdout '^before: bristle [0-9.]+, '

expect_exit 2 "$compare" "$here/old"
expect_stderr '^compare: needs two commands'
expect_exit 2 "$compare" --runs 0 "$here/old" "$here/new"
expect_stderr 'must be >= 1, got 0'
expect_exit 2 "$compare" --only nothing "$here/old" "$here/new"
expect_stderr 'no case is in both and matches'
expect_exit 2 "$compare" "$here/absent" "$here/new"
expect_exit 1 "$compare" false "$here/new"
expect_stderr '^compare: false --list: exit status 1'
expect_exit 0 "$compare" --help
expect_stdout '^usage: bench/compare'
done_well
