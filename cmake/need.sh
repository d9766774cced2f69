#!/bin/sh
# What each target of the Makefile needs. `need.sh GROUP...` installs what is missing with apt, or
# names it where there is no apt. After --optional, what cannot be had is named, and that is all.
set -eu

# group, Debian package, and a command that succeeds where it is there
needs() {
    cat <<'END'
build    gcc              command -v cc
build    libc6-dev        echo '#include <math.h>' | cc -E -
build    cmake            command -v cmake
build    pkg-config       command -v pkg-config
build    libyaml-dev      pkg-config --exists yaml-0.1
build    libcminpack-dev  pkg-config --exists cminpack
plot     gnuplot-nox      command -v gnuplot
pictures imagemagick      convert -version
pictures python3          /usr/bin/python3 -c 0
test     g++              command -v c++
test     libcmocka-dev    pkg-config --exists cmocka
test     libsundials-dev  echo '#include <cvode/cvode.h>' | cc -E -
test     libcdd-dev       pkg-config --exists cddlib
test     coinor-libclp-dev pkg-config --exists clp
test     libglpk-dev      echo '#include <glpk.h>' | cc -E -
bench    libsundials-dev  echo '#include <cvode/cvode.h>' | cc -E -
test     valgrind         command -v valgrind
test     libc6-dbg        [ ! -e /etc/debian_version ] || dpkg -s libc6-dbg
test     python3-numpy    /usr/bin/python3 -c 'import numpy'
test     python3-jsonschema /usr/bin/python3 -c 'import jsonschema'
test     python3-yaml     /usr/bin/python3 -c 'import yaml'
test     dpkg-dev         [ ! -e /etc/debian_version ] || command -v dpkg-shlibdeps
test     file             [ ! -e /etc/debian_version ] || command -v file
test     groff-base       command -v groff
test     zsh              command -v zsh
test     strace           command -v strace
python   python3-dev         [ -e "$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])')/Python.h" ]
python   python3-venv        /usr/bin/python3 -c 'import ensurepip'
python   python3-numpy       /usr/bin/python3 -c 'import numpy'
python   python3-setuptools  /usr/bin/python3 -c 'import setuptools'
python   python3-wheel       /usr/bin/python3 -c 'import wheel'
python   python3-pytest      /usr/bin/python3 -c 'import pytest'
python   python3-hypothesis  /usr/bin/python3 -c 'import hypothesis'
science  python3-scipy       /usr/bin/python3 -c 'import scipy'
science  python3-matplotlib  /usr/bin/python3 -c 'import matplotlib'
science  python3-pandas      /usr/bin/python3 -c 'import pandas'
science  python3-xarray      /usr/bin/python3 -c 'import xarray'
science  python3-yaml        /usr/bin/python3 -c 'import yaml'
science  mypy                command -v mypy
notebooks jupyter-nbconvert  /usr/bin/python3 -c 'import nbconvert, nbclient'
notebooks python3-ipykernel  /usr/bin/python3 -c 'import ipykernel'
torch    python3-torch       /usr/bin/python3 -c 'import torch'
wasm     clang                  command -v clang
wasm     lld                    command -v wasm-ld
wasm     binaryen               command -v wasm-opt
wasm     wasi-libc              [ -e /usr/lib/wasm32-wasi/libc.a ]
wasm     libclang-rt-dev-wasm32 [ -e "$(clang --target=wasm32-wasi -print-libgcc-file-name)" ]
web      nodejs                 command -v node
web      npm                    command -v npm
web      ca-certificates        [ -e /etc/ssl/certs/ca-certificates.crt ]
chromium chromium               command -v chromium
clang    clang            command -v clang
tcc      tcc              command -v tcc
musl     musl-tools       command -v musl-gcc
i386     gcc-i686-linux-gnu     command -v i686-linux-gnu-gcc
i386     libc6-dev-i386-cross   [ -e /usr/i686-linux-gnu/include/math.h ]
armhf    gcc-arm-linux-gnueabihf command -v arm-linux-gnueabihf-gcc
armhf    libc6-dev-armhf-cross  [ -e /usr/arm-linux-gnueabihf/include/math.h ]
armhf    qemu-user-static       command -v qemu-arm-static
s390x    gcc-s390x-linux-gnu    command -v s390x-linux-gnu-gcc
s390x    libc6-dev-s390x-cross  [ -e /usr/s390x-linux-gnu/include/math.h ]
s390x    qemu-user-static       command -v qemu-s390x-static
riscv64  gcc-riscv64-linux-gnu  command -v riscv64-linux-gnu-gcc
riscv64  libc6-dev-riscv64-cross [ -e /usr/riscv64-linux-gnu/include/math.h ]
riscv64  qemu-user-static       command -v qemu-riscv64-static
fuzz     clang            command -v clang
fuzz     libclang-rt-dev  [ -e "$(clang -print-file-name=libclang_rt.fuzzer-x86_64.a)" ] || [ -n "$(find "$(clang -print-resource-dir)" -name 'libclang_rt.fuzzer-*.a')" ]
fuzz     nodejs           command -v node
aarch64  gcc-aarch64-linux-gnu  command -v aarch64-linux-gnu-gcc
aarch64  libc6-dev-arm64-cross  [ -e /usr/aarch64-linux-gnu/include/math.h ]
aarch64  qemu-user-static       command -v qemu-aarch64-static
windows  gcc-mingw-w64-x86-64   command -v x86_64-w64-mingw32-gcc
windows  wine64                 command -v wine64 || [ -x /usr/lib/wine/wine64 ]
windows  wine                   command -v wine
windows  python3                /usr/bin/python3 -c 0
windows  python3-dev            [ -e "$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])')/Python.h" ]
sweeps   libopenmpi-dev   command -v mpicc
sweeps   openmpi-bin      command -v mpirun
sweeps   libhdf5-dev      pkg-config --exists hdf5-serial
engines  g++              command -v c++
engines  libbox2d-dev     [ -e /usr/include/box2d/box2d.h ]
engines  libbullet-dev    [ -e /usr/include/bullet/btBulletDynamicsCommon.h ]
engines  libode-dev       [ -e /usr/include/ode/ode.h ]
engines  libmujoco-dev    [ -e /usr/include/mujoco/mujoco.h ]
dart     libdart-dev      [ -e /usr/include/dart/simulation/World.hpp ]
opencl   ocl-icd-opencl-dev [ -e /usr/include/CL/cl.h ] && ldconfig -p | grep -q libOpenCL.so$
opencl   opencl-c-headers [ -e /usr/include/CL/cl.h ]
opencl   pocl-opencl-icd  [ -e /etc/OpenCL/vendors/pocl.icd ]
package  dpkg-dev         command -v dpkg-shlibdeps
package  file             command -v file
format   clang-format     command -v clang-format
format   git              command -v git
analyse  clang-tidy       command -v clang-tidy
analyse  cppcheck         command -v cppcheck
coverage gcovr            command -v gcovr
abi      abigail-tools    command -v abidiff
abi      git              command -v git
docs     doxygen          command -v doxygen
site     mkdocs           command -v mkdocs
site     mkdocs-material  [ -e /usr/share/mkdocs/themes/material ] || /usr/bin/python3 -c 'import material'
site     git              command -v git
END
}

# Runs apt-get. Where another one is at work it waits for that, up to BRISTLE_APT_WAIT seconds (10 minutes): for the
# lock of dpkg by itself, for that of the lists by another try.
apt() {
    patience=${BRISTLE_APT_WAIT:-600} waited=0
    until message=$($sudo env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y -o DPkg::Lock::Timeout="$patience" \
        "$@" 2>&1 >/dev/null); do
        case $message in
        *'get lock'* | *'unable to lock'* | *'Unable to lock'* | *'acquire the dpkg'*) ;;
        *) waited=$patience ;;
        esac
        if [ "$waited" -ge "$patience" ]; then
            echo "$message" >&2
            return 1
        fi
        [ "$waited" -gt 0 ] || echo 'waiting for another apt to end ...' >&2
        waited=$((waited + 2))
        sleep 2
    done
}

if [ "${1:-}" = --optional ]; then
    shift
    sh "$0" "$@" || echo "$*: left out, as are the tests that need it" >&2
    exit 0
fi

missing=
for group in "$@"; do
    list=$(needs | grep "^$group ") || { echo "need.sh: no group $group" >&2; exit 2; }
    missing="$missing $(echo "$list" | while read -r _ package check; do
        sh -c "$check" >/dev/null 2>&1 </dev/null || echo "$package"
    done)"
done
missing=$(echo $missing) # one line
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "bristle needs, under their Debian names: $missing" >&2
    echo "Install them with your system's package manager and try again." >&2
    exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
        echo "bristle needs: $missing. Run as root: apt-get install $missing" >&2
        exit 1
    }
    sudo=sudo
fi
echo "installing: $missing"
apt update
apt install --no-install-recommends $missing
