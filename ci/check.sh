#!/bin/sh
# All tests, as `make check` runs them. usage: ci/check.sh BUILD
set -eu
cd "$(dirname "$0")/.."
build=$1
python=$build/venv/bin/python

section() {
	printf '\n== %s\n' "$*"
}

run_programs() {
	for test in "$1"/tests/test_*; do
		case $test in *.*) continue ;; esac
		"$test"
	done
}

section 'lint'
ci/lint.sh

section 'unit and kernel tests'
make -s BUILD="$build" tests
run_programs "$build"

section 'the same under AddressSanitizer and UndefinedBehaviorSanitizer'
# gcc whatever CC is: its runtime comes with the compiler.
make -s BUILD="$build/sanitize" CC=gcc CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined' all tests
run_programs "$build/sanitize"
for command in kernels topology 'topology --topology pu:3 --json' '--manual' 'sweep --dry-run' 'run -r 20' 'run -r 20 -k load_mem'; do
	# shellcheck disable=SC2086 # the words of a command are meant
	"$build/sanitize/cmtnoise" $command >/dev/null
done
# Exit 1 is doctor's finding that something prevents a measurement here.
ASAN_OPTIONS=exitcode=99 "$build/sanitize/cmtnoise" doctor >/dev/null || [ $? = 1 ]
rm -rf "$build/sanitize/run"
"$build/sanitize/cmtnoise" sweep --quiet --together --kernels add,store_l1,load_l2 -r 50 -o "$build/sanitize/run"

section 'without hwloc'
make -s BUILD="$build/flat" HWLOC=0
"$build/flat/cmtnoise" topology

section 'SPARC Linux, emulated'
ci/sparc.sh "$build/sparcv9"

section 'Solaris, on a fake of it'
ci/solaris.sh "$build/solaris"

section 'command line, figures, report'
# Half of the tests play or emulate other machines, and measure nothing on this one: they run beside the others.
CMTNOISE_BUILD=$build
export CMTNOISE_BUILD
elsewhere=$(find tests/python -name 'test_*.py' | grep -E 'bare|domain|guest|lab|ldom|solaris|sparc|study' | sort)
ignored=$(printf '%s\n' "$elsewhere" | sed 's/^/--ignore=/')
# shellcheck disable=SC2086 # a word a file is meant
"$python" -m pytest -q -p no:cacheprovider $elsewhere >"$build/elsewhere.log" 2>&1 &
beside=$!
trap 'kill "$beside" 2>/dev/null || :; exit 130' INT TERM HUP
failed=0
# shellcheck disable=SC2086
"$python" -m pytest -q tests/python $ignored || failed=1

section 'domains, other machines'
wait "$beside" || failed=1
cat "$build/elsewhere.log"
exit "$failed"
