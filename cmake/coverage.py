#!/usr/bin/env python3
"""Coverage per module, from the summary that gcovr wrote as JSON: coverage.py SUMMARY.

Prints a table of lines and branches, the files with the most lines that no test runs, and a last line with the totals
of libbristle. Exits with 1 below 95 % of lines or 85 % of branches in total."""
import json
import sys

LEAST_LINES, LEAST_BRANCHES = 95.0, 85.0  # of libbristle [%]
HOLES = 12  # files that are listed


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def module_of(name):
    parts = name.split("/")
    return parts[1] if parts[0] == "src" else parts[0]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        files = json.load(file)["files"]
    keys = "line_covered", "line_total", "branch_covered", "branch_total"
    modules, total = {}, [0, 0, 0, 0]
    for entry in files:
        sums = modules.setdefault(module_of(entry["filename"]), [0, 0, 0, 0])
        for k, key in enumerate(keys):
            sums[k] += entry[key]
            if entry["filename"].startswith("src/"):
                total[k] += entry[key]
    print("| module | lines | covered [%] | branches | covered [%] |\n|---|---|---|---|---|")
    for name, s in sorted(modules.items()):
        print(f"| {name} | {s[1]} | {percent(s[0], s[1]):.1f} | {s[3]} | {percent(s[2], s[3]):.1f} |")
    lines, branches = percent(*total[:2]), percent(*total[2:])
    print(f"| **src** | {total[1]} | {lines:.1f} | {total[3]} | {branches:.1f} |\n")
    holes = sorted(files, key=lambda f: f["line_covered"] - f["line_total"])[:HOLES]
    for entry in holes:
        print(f"{entry['line_total'] - entry['line_covered']:5d} lines not run: {entry['filename']}")
    good = lines >= LEAST_LINES and branches >= LEAST_BRANCHES
    print(f"coverage of src: {lines:.1f} % of lines ({LEAST_LINES:.0f} required), "
          f"{branches:.1f} % of branches ({LEAST_BRANCHES:.0f} required)")
    return 0 if good else 1


sys.exit(main())
