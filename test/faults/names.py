#!/usr/bin/python3
"""Every public function that allocates has a case in creates_*.c: those whose comment has BR_ERR_MEMORY, and each _create
and _read. Argument: the source folder."""

import glob
import re
import sys

NOT_MEMORY = {"br_definition_read", "br_text_read_number"}  # they allocate nothing

source = sys.argv[1]
wanted = set()
for header in glob.glob(source + "/include/bristle/*.h"):
    text = open(header).read()
    for comment, name in re.findall(r"((?:^///[^\n]*\n)+)BR_API\s+[^;{(]*?\b(br_\w+)\(", text, re.M):
        if "BR_ERR_MEMORY" in comment or re.search(r"_create(_|$)|_read(_|$)", name):
            wanted.add(name)
cases = "".join(open(path).read() for path in glob.glob(source + "/test/faults/creates_*.c"))
missing = sorted(name for name in wanted - NOT_MEMORY if '"%s"' % name not in cases)
for name in missing:
    print("FAILED: %s has no case in test/faults/creates_*.c" % name)
print("%d functions" % len(wanted))
sys.exit(1 if missing or len(wanted) < 40 else 0)
