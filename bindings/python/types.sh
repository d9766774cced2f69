#!/bin/sh
# Are the types of the package and of the examples right, as mypy sees them at its strictest?
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
mypy --strict --cache-dir ../../build/python/mypy bristle
