#!/usr/bin/env bash
# bristle bench: names, choice of cases, one JSON object.
. "$(dirname "$0")/lib.sh"

expect_exit 0 "$bristle" bench --list
expect_stdout '^law.eval/lugre$'
expect_stdout '^sim.rig/lugre$'
expect_stdout '^cone.check/1e6$'
expect_exit 0 "$bristle" bench --list --only 'law.*'
! grep -q sim "$logs/out" || fail "--only law.* should leave out sim"

expect_exit 0 "$bristle" bench --only law.eval/lugre
expect_stdout '^bristle [0-9.]+ .* 31 runs$'
expect_stdout '^law.eval/lugre +[0-9.]+'
expect_exit 0 "$bristle" bench --only law.eval/lugre --json
/usr/bin/python3 -c '
import json, sys
table = json.load(sys.stdin)
assert {"version", "compiler", "cpu", "cases"} <= set(table), table
case, = table["cases"]
assert case["name"] == "law.eval/lugre" and case["ns"] > 0 and case["median_ns"] >= case["ns"]
assert case["reference_ns"] is None and case["ratio"] is None and case["allocations"] == 0
' <"$logs/out" || fail "not the JSON of the contract"

# cells that count, in how many lanes; the careful twin, where it is built, computes the same
expect_exit 0 "$bristle" bench --only 'distributed.eval/disc21/*' --json
/usr/bin/python3 -c '
import json, math, sys
for case in json.load(sys.stdin)["cases"]:
    assert case["live"] == 373 and case["lanes"] == 424, case
    assert case["p90_ns"] >= case["median_ns"], case
    if case["careful_ns"] is not None: # 1e-12: other orders of sums over 373 cells
        assert math.isclose(case["careful_check"], case["check"], rel_tol=1e-12), case
' <"$logs/out" || fail "not the numbers of 373 cells"
expect_exit 0 "$bristle" bench --list
for name in reduced.chain/table blocks.chain/disc5 step.stick/cells step.slip-stick/blocks step.sliding/reduced \
    step.worst/cells batch.step/reduced-100000 batch.step/reduced-100000/2-threads blocks.eval/disc5/ep-plastic; do
    expect_stdout "^$name\$"
done

expect_refused '--only nothing: matches no case' "$bristle" bench --only nothing
expect_refused 'bench: takes no file' "$bristle" bench x.yaml
done_well
