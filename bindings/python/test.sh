#!/bin/sh
# Build and test the Python package: its tests, and the examples of its documentation.
#   test.sh [arguments of pytest]     without any, what takes long is left out
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sh "$here/make.sh"
[ $# -gt 0 ] || set -- -m 'not slow'
python=$here/../../build/python/venv/bin/python
export PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg MPLCONFIGDIR="$here/../../build/python/matplotlib"
cd "$here" # -P: the package that is installed, not the sources beside this file
"$python" -P -m pytest -q -p no:cacheprovider "$@" test
"$python" -P -m pytest -q -p no:cacheprovider --doctest-modules --pyargs bristle
