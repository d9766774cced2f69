#!/bin/sh
# Are the types of the package and of the examples right, as mypy sees them at its strictest?
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
mypy --strict --cache-dir ../../build/python/mypy bristle
for example in ../../examples/python/*.py; do
    MYPYPATH=. mypy --strict --cache-dir ../../build/python/mypy "$example"
done
