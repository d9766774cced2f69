#!/bin/bash
# Programs of their own that the command starts: beside it, wherever it was called from, and a word on how to
# get them where they are not.
. "$(dirname "$0")/lib.sh"

for name in bench reproduce; do
    # started through the command or by itself, it prints the same
    for words in --list --help -h '--list --zack' 'no such'; do
        "$bristle" $name $words >through 2>&1
        echo $? >>through
        "$bristle-$name" $words >itself 2>&1
        echo $? >>itself
        last="bristle $name $words"
        expect_same through itself
    done
    expect_exit 0 "$bristle-$name" --version
    expect_stdout "^bristle-$name [0-9]+\\.[0-9]+\\.[0-9]+\$"
    expect_exit 0 "$bristle-$name" --help
    expect_stdout "^usage: bristle $name"
    expect_stdout "make $name builds it"
    rm through itself
done

# through a link in another folder
ln -s "$bristle" link
expect_exit 0 ./link bench --list
rm link

# alone: the help is there, the programs are not
mkdir alone
cp "$bristle" alone/
for name in bench reproduce; do
    expect_exit 0 alone/bristle help $name
    expect_stdout "^usage: bristle $name"
    expect_exit 0 alone/bristle $name --help
    expect_refused "$name: needs the program bristle-$name next to the command, in $PWD/alone/: .*make $name" \
        alone/bristle $name --list
done

# a program that cannot be started is none
touch alone/bristle-bench
expect_refused 'bench: needs the program bristle-bench' alone/bristle bench --list

# its exit status and its words are the command's
printf '#!/bin/sh\necho "$0 $*"; exit 7\n' >alone/bristle-bench
chmod +x alone/bristle-bench
expect_exit 7 alone/bristle bench --only 'a b' c
expect_stdout "^$PWD/alone/bristle-bench --only a b c\$"
done_well
