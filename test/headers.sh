#!/usr/bin/env bash
# Oracle: the compiler. Every public header compiles alone, as C17 and as C++17, without warnings, and bristle.h
# includes it.
# Arguments: the C compiler, the include folders.
set -u
cc=$1 source=$2 generated=$3
flags="-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I $source -I $generated"
failed=0
everything=$(echo '#include "bristle/bristle.h"' | $cc -x c -std=c17 -E -I "$source" -I "$generated" -)
for header in "$source"/bristle/*.h "$generated"/bristle/*.h; do
    unit="#include \"bristle/$(basename "$header")\"
int not_empty;"
    echo "$unit" | $cc -x c -std=c17 $flags - || failed=1
    grep -q "/$(basename "$header")\"" <<<"$everything" || { echo "bristle.h lacks $(basename "$header")"; failed=1; }
    echo "$unit" | c++ -x c++ -std=c++17 $flags - || failed=1
done
exit $failed
