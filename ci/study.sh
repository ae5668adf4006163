#!/bin/sh
# What `make study` does once everything is built: makes the runs that the study's statements ask for, then holds the statements against
# them, draws the figures and writes the page. A run that is whole stays as it is, so what was broken off is taken up again.
# usage: ci/study.sh BUILD      (STUDY=FOLDER: where the runs go, results/study unless told otherwise)
set -eu
cmtnoise=$1/cmtnoise
folder=${STUDY:-results/study}
sweep="--kernels add,nop,mul,load_l1 --reps 1000"
child=

finished() {
	grep -qs '^  "status": "complete"' "$1/run.json"
}

say() {
	echo "study: $*" >&2
}

make_run() {
	say "$1: $2"
	# shellcheck disable=SC2086 # several options are meant
	"$cmtnoise" domain run "$1" --quiet -o "$folder/$1" -- $sweep >/dev/null &
	child=$!
	if wait "$child"; then say "$1: done"; else say "$1: failed; 'cmtnoise study' tells how to make it alone"; fi
	child=
}

# One after the other. A shell's background jobs do not hear Ctrl-C, so it is handed on; the launcher ends QEMU.
make_runs() {
	trap '[ -z "$child" ] || kill "$child"; wait; exit 130' TERM
	note=$1
	shift
	for name; do
		run=$folder/$name
		if finished "$run"; then
			say "$name: is there"
			continue
		fi
		if [ -e "$run" ]; then
			rm -rf "$run.unfinished"
			mv "$run" "$run.unfinished"
			say "$name: was not finished; what there is of it: $run.unfinished"
		fi
		make_run "$name" "$note"
	done
}

mkdir -p "$folder"
# Side by side: without an OS there is nothing to build but the image, while compiling an OS kernel takes minutes.
make_runs 'begun; its OS kernel is built first, where that was not done before' sparc-linux+hz250 sparc-linux+hz100 &
linux=$!
make_runs begun t1-bare t1-bare-tick250 t1-bare-tick100 &
bare=$!
trap 'kill "$linux" "$bare" 2>/dev/null || :; wait; say "broken off; the same command takes it up again"; exit 130' INT TERM HUP
wait "$linux" "$bare"
trap - INT TERM HUP
"$cmtnoise" study "$folder"
