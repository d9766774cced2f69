#!/bin/bash
# The ranges in docs/robustness.md are those that random.steps draws from: robustness.sh SOURCE STEPS
set -eu
table=$("$2" --table)
page=$(cat "$1/docs/robustness.md")
[[ $page == *"$table"* ]] || {
    echo "docs/robustness.md: its ranges are not those of test/random/steps.h, which are:"
    echo "$table"
    exit 1
}
