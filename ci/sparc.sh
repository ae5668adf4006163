#!/bin/sh
# The harness for SPARC Linux, built by the cross compiler, and its tests under QEMU's user emulation: what it does, never how fast.
# usage: ci/sparc.sh BUILD
set -eu
cd "$(dirname "$0")/.."
build=$1

make -s BUILD="$build" CC=sparc64-linux-gnu-gcc LDFLAGS=-static all tests
for test in "$build"/tests/test_*; do
	case $test in *.*) continue ;; esac
	qemu-sparc64 "$test"
done
