#!/usr/bin/env bash
# Oracle: the command's own help, schema and tables: docs/reference is what they say. Arguments: the command, the source.
set -eu
python=/usr/bin/python3
"$python" -c 'import yaml, jsonschema' 2>/dev/null || { echo 'docs.reference: no Python with yaml and jsonschema'; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
"$python" "$2/docs/make/reference/generate.py" --check "$1" "$2"
