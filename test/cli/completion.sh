#!/bin/bash
# Completion for bash and zsh. Oracle: the shells themselves, and the help.
. "$(dirname "$0")/lib.sh"
write_scenarios
mkdir folder "$logs/bin"
ln -s "$bristle" "$logs/bin/bristle"
PATH=$logs/bin:$PATH
touch 'two words.yaml' notes.txt

expect_exit 0 bristle help --bash
expect_quiet
bash -n "$logs/out" || fail "bash does not understand its completion"
. "$logs/out"

# complete WORD...: what bash offers for the last word
complete_bash() {
    COMP_WORDS=(bristle "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _bristle
    printf '%s\n' "${COMPREPLY[@]}" | sort -u
}

# offers EXPECTED WORD...: one a line
offers() {
    local wanted=$1 got
    shift
    got=$(complete_bash "$@")
    last="completing: bristle $*"
    [ "$got" = "$wanted" ] || fail "offered: $(echo $got); expected: $(echo $wanted)"
}

offers run ru
offers $'reproduce\nrun' r
offers --version --v
offers $'check\ncone\nconstrained\ncontact\ncontacts\nconvert\ncurve' help c
offers $'profiles' help pro
offers $'patch\npush' new p
offers motion.yaml new body -o mo
offers $'--plot' run rig.yaml --pl
offers $'folder\nmotion.yaml\nrig.yaml\ntwo words.yaml' run ''
offers 'two words.yaml' check rig.yaml two
offers v.csv surface x.yaml --twists v
offers $'ellipsoid\nexact' surface x.yaml --method e
offers $'inner\nouter' cone --approx ''
offers $'h\nv' cone --print ''
offers notes.txt run x.yaml -o no
offers folder reproduce --output f
offers wk-fig22 reproduce wk-fig22
offers '' run x.yaml --set ''
offers '' cone x
offers $'contact\nlaw\npressure\npushes' fit ''
offers $'pressure\npushes' fit p
offers $'folder\nv.csv' fit law ''
offers motion.yaml fit pushes v.csv --outline mo
offers dahl fit law v.csv --law d
offers '' fit pushes v.csv --cells ''

# knows COMMAND OPTION: does one of its kinds, if it has any?
knows() {
    local kind kinds=-
    [ "$1" != fit ] || kinds='law pressure pushes contact'
    for kind in $kinds; do
        timeout 10 "$bristle" $1 ${kind#-} $2 --zzz 2>&1 | grep -q "unknown option $2;" || return 0
    done
    return 1
}

# every option of the help is offered, with its value, and nothing else is
for command in run check new surface cone constrained convert fit sweep reproduce bench; do
    expect_exit 0 bristle help $command
    offers "$(grep -oE '^  -.*' "$logs/out" | grep -oE '^  (-[a-z], )?--[a-z-]+' | grep -oE -- '-+[a-z-]+' | sort -u)" $command -
    for option in $(complete_bash $command --); do
        knows $command $option || fail "$command does not know $option"
    done
done

if ! command -v zsh >/dev/null; then
    echo "skipped: zsh (it is not there)"
    done_well
fi
if ! zsh -fc 'zmodload zsh/zpty && zpty probe true' 2>/dev/null; then
    echo "skipped: zsh (there are no pseudo-terminals)"
    done_well
fi
mkdir functions
bristle help --zsh >functions/_bristle
# a zsh at work, whose answers to a tab are read from its screen
cat >drive.zsh <<'END'
zmodload zsh/zpty
zpty shell TERM=dumb zsh -f -i
zpty -w shell "PROMPT='' fpath=($PWD/functions \$fpath); autoload -U compinit; compinit -u -d $PWD/dump; LISTMAX=1000; echo ready\$((1))"
zpty -r shell answer '*ready1*'
zpty -w -n shell "bristle $1"$'\t'
sleep $2
while zpty -r -t shell answer; do print -rn -- $answer; done
zpty -d shell
END
# zsh_offers REGEX LINE; a busy machine gets more time to answer
zsh_offers() {
    last="zsh, completing: bristle $2"
    for wait in 0.7 3 15; do
        timeout 60 zsh -f drive.zsh "$2" $wait >"$logs/out" 2>"$logs/err"
        ! grep -qE -- "$1" "$logs/out" || break
    done
    expect_stdout "$1"
}
zsh_offers 'simulate a scenario' ''
zsh_offers '--plot +-- +also draw it' 'run rig.yaml -'
zsh_offers 'bristle run rig.yaml' 'run ri'
zsh_offers 'inner +outer' 'cone --approx '
zsh_offers 'folder/ +functions/ +v.csv' 'surface x.yaml --twists '
zsh_offers 'law +pressure +pushes' 'fit '
zsh_offers 'folder/ +functions/ +v.csv' 'fit law '
zsh_offers 'reproduce wk-fig22' 'reproduce wk-fig22'
done_well
