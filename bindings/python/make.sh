#!/bin/sh
# Build the Python package in build/python.
#   make.sh         install it into the venv build/python/venv
#   make.sh wheel   leave a wheel and a source distribution in build/
# Uses the first of $PYTHON, python3 and /usr/bin/python3 that has its headers, NumPy, setuptools and wheel. Exit
# status 77 if there is none.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$here/../.." && pwd)/build
made=$build/python

has_all() {
    "$1" -c 'import numpy, setuptools, wheel, os, sys, sysconfig
assert sys.version_info >= (3, 11)
assert os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))' 2>/dev/null
}

python=
for candidate in "${PYTHON:-python3}" python3 /usr/bin/python3; do
    if command -v "$candidate" >/dev/null && has_all "$candidate"; then
        python=$(command -v "$candidate")
        break
    fi
done
if [ -z "$python" ]; then
    echo 'no Python of 3.11 or later with its headers, NumPy, setuptools and wheel: skipped' >&2
    exit 77
fi

install_package() {
    [ -x "$made/venv/bin/pip" ] || "$python" -m venv --system-site-packages "$made/venv"
    "$made/venv/bin/pip" install -q --no-index --no-build-isolation --no-deps --force-reinstall "$here"
}

make_wheel() {
    cd "$here"
    "$python" setup.py -q sdist -d "$build" bdist_wheel -d "$build"
}

mkdir -p "$made"
export BRISTLE_WERROR=1
if [ -n "${CMAKE_C_COMPILER_LAUNCHER:-}" ]; then
    export CC="$CMAKE_C_COMPILER_LAUNCHER ${CC:-cc}"
fi
if [ "${1:-}" = wheel ]; then
    make_wheel >"$made/log" 2>&1 || { cat "$made/log"; exit 1; }
    ls "$build"/bristle-*.whl "$build"/bristle-*.tar.gz
else
    install_package >"$made/log" 2>&1 || { cat "$made/log"; exit 1; }
fi
