#!/bin/sh
# Test the glue of engines in JavaScript: test.sh BRISTLE, the command to compare with. Exit status 77 if something is
# missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
tested=$root/build/rigid-scenes

sh "$here/scenes.sh"
node "$tested/node_modules/typescript/bin/tsc" -p "$tested"
sed -n '/^ *```js$/,/^ *```$/{/```/!p}' "$root/docs/howto/engines_js.md" >"$tested/page.mjs"
for example in "$tested/page.mjs" "$tested"/examples/*.mjs; do
    node "$example" >"$tested/log" || { cat "$tested/log"; exit 1; }
done
node "$tested/test/engines.test.mjs" "$1" >"$tested/log" || { cat "$tested/log"; exit 1; }
node "$tested/test/joint.test.mjs" "$1" >"$tested/log.joint" || { cat "$tested/log.joint"; exit 1; }
echo "engines: $(sed -n 's/^# \(tests\|pass\|skipped\) /\1 /p' "$tested/log" | tr '\n' ' ')"
