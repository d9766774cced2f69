#!/bin/sh
# Compiles the Python extension for Windows with mingw-w64 and links it, as setup.py would do there. Debian has no
# Python for Windows, so it is not run: this checks that its sources need nothing beyond mingw-w64 and Python's stable
# interface. The headers are those of this system's Python with a pyconfig.h for Windows; the import library names all
# functions Py... that the extension uses. Argument: the build folder of the preset windows, with the libraries.
set -eu
libraries=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
made=$libraries/python
cc=x86_64-w64-mingw32-gcc
include=$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
mkdir -p "$made"
rm -rf "$made/include"
cp -rL "$include" "$made/include"
cat > "$made/include/pyconfig.h" <<'END'
#define MS_WINDOWS 1
#define MS_WIN32 1
#define MS_WIN64 1
#define HAVE_DECLSPEC_DLL 1
#define Py_ENABLE_SHARED 1
#define HAVE_PY_SSIZE_T 1
typedef long long Py_ssize_t;
#define PY_SSIZE_T_MAX 9223372036854775807LL
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_WCHAR_T 2
#define ALIGNOF_SIZE_T 8
#define ALIGNOF_MAX_ALIGN_T 16
#define WITH_DOC_STRINGS 1
END

# as STABLE and EVERYWHERE of setup.py
flags='-std=c17 -O1 -DNDEBUG -D__USE_MINGW_ANSI_STDIO=1 -DPy_LIMITED_API=0x030B0000 -Wall -Wextra -Werror'
for source in "$here"/core/*.c "$here"/../core/*.c; do
    [ -e "$source" ] || continue
    object=$made/$(basename "$source" .c).o
    "$cc" $flags -I"$made/include" -I"$here/core" -I"$here/../core" -I"$here/../../include" -I"$here/../../src" \
        -I"$libraries/include" -c "$source" -o "$object"
done
{
    echo 'LIBRARY python3.dll'
    echo EXPORTS
    x86_64-w64-mingw32-nm -u "$made"/*.o | sed -n 's/^ *U __imp_\(_\{0,1\}Py.*\)/\1/p; s/^ *U \(_\{0,1\}Py.*\)/\1/p' | sort -u |
        sed 's/^\(.*\(_Type\|Struct\|PyExc_.*\)\)$/\1 DATA/'
} > "$made/python3.def"
x86_64-w64-mingw32-dlltool -d "$made/python3.def" -l "$made/libpython3.a"
"$cc" -shared -static "$made"/*.o -o "$made/_core.pyd" "$libraries/libbristle-scenario.a" "$libraries/libbristle-sim.a" \
    "$libraries/libbristle-fit.a" "$libraries/libbristle.a" -L"$made" -lpython3 \
    -L"$libraries/../windows-libraries/lib" -lyaml -lcminpack -lpthread -lm
x86_64-w64-mingw32-objdump -p "$made/_core.pyd" | grep -q 'PyInit__core' || { echo '_core.pyd exports no PyInit__core'; exit 1; }
echo "the Python extension compiles and links for Windows; $(grep -c Py "$made/python3.def") functions of Python; not run"
