#!/bin/sh
# Check the types of the package and of the examples with mypy --strict.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
command -v mypy >/dev/null || { echo 'mypy is not installed: types are not checked'; exit 0; }
mypy --strict --cache-dir ../../build/python/mypy bristle
for example in ../../examples/python/*.py; do
    MYPYPATH=. mypy --strict --cache-dir ../../build/python/mypy "$example"
done
