#!/bin/sh
# The program for Solaris, compiled whole for amd64 and for sparcv9 against the declarations in tests/ports/solaris/include; what it calls,
# held against what Solaris 10 exports; and the amd64 one linked with a fake of Solaris, so that it runs here: BUILD/cmtnoise.
# usage: ci/solaris.sh BUILD
set -eu
cd "$(dirname "$0")/.."
build=$1
port=tests/ports/solaris
amd64="clang --target=x86_64-pc-solaris2.11 -nostdlibinc -isystem $port/include"
gcc_include=$(sparc64-linux-gnu-gcc -print-file-name=include)
sparcv9="sparc64-linux-gnu-gcc -U__linux__ -U__linux -Ulinux -D__sun -D__svr4__ -nostdinc -isystem $port/include -isystem $gcc_include"

# Names and values of $port/symbols whose field $2 is $3, sorted.
listed() {
	awk -v field="$1" -v value="$2" '!/^#/ && (field == 0 || $field == value) { print $1 }' $port/symbols | sort
}

# What an object calls must be in the list. The linker's own table is no symbol of a library, nor are SPARC's registers, which have no name.
check_symbols() {
	nm -u "$2" >"$2.nm"
	awk 'NF == 2 && $2 != "_GLOBAL_OFFSET_TABLE_" { print $2 }' "$2.nm" | sort >"$2.undefined"
	listed 0 0 | comm -13 - "$2.undefined" >"$2.unknown"
	if [ -s "$2.unknown" ]; then
		echo "solaris: $1 calls what $port/symbols does not have: is it in Solaris 10, and in which library?" >&2
		cat "$2.unknown" >&2
		exit 1
	fi
}

# All of the program as one object: once with each timer, the instruction set's own last.
port_of() {
	make -s BUILD="$build/$1" OS=solaris HWLOC=0 CFLAGS=-O1 CC="$2" PORT_LD="$3" TIMER="$4" port
	cp "$build/$1/port.o" "$build/$1$4.o"
	check_symbols "$1" "$build/$1$4.o"
}
port_of amd64 "$amd64" ld os
port_of amd64 "$amd64" ld ''
port_of sparcv9 "$sparcv9" sparc64-linux-gnu-ld stick
port_of sparcv9 "$sparcv9" sparc64-linux-gnu-ld ''
$amd64 -std=gnu11 -fsyntax-only $port/constants.c
$sparcv9 -std=gnu11 -fsyntax-only $port/constants.c

# The fake: what knows Solaris's types is compiled as the program is.
flags='-std=gnu11 -I. -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Werror -O1 -g'
for part in machine kstats cpus; do
	# shellcheck disable=SC2086 # several words are meant
	$amd64 $flags -c -o "$build/$part.o" $port/fake/$part.c
done
for part in libc threads; do
	# shellcheck disable=SC2086
	gcc $flags -c -o "$build/$part.o" $port/fake/$part.c
done
ld -r -o "$build/fake.o" "$build/machine.o" "$build/kstats.o" "$build/cpus.o" "$build/libc.o" "$build/threads.o"
nm "$build/fake.o" | awk '$2 ~ /[TDBC]/ { print $3 }' | sort >"$build/fake.defined"

# Whatever the list gives to the fake must be there, by its own name or as solaris_NAME; the program is made to call that one.
listed 4 fake >"$build/fake.listed"
: >"$build/renamed"
while read -r symbol; do
	if grep -qx "solaris_$symbol" "$build/fake.defined"; then
		echo "$symbol solaris_$symbol" >>"$build/renamed"
	elif ! grep -qx "$symbol" "$build/fake.defined"; then
		echo "solaris: $port/symbols gives $symbol to the fake, which has it not" >&2
		exit 1
	fi
done <"$build/fake.listed"
for object in amd64 amd64os; do
	objcopy --redefine-syms="$build/renamed" --weaken-symbol=isa_relax "$build/$object.o" "$build/$object.linked.o"
done
# The parts of the fake that are compiled for Solaris call its C library too.
for part in machine kstats cpus; do
	objcopy --redefine-syms="$build/renamed" "$build/$part.o" "$build/$part.linked.o"
done
fake="$build/machine.linked.o $build/kstats.linked.o $build/cpus.linked.o $build/libc.o $build/threads.o"
# shellcheck disable=SC2086
gcc -no-pie -o "$build/cmtnoise" "$build/amd64.linked.o" $fake -pthread
# shellcheck disable=SC2086
gcc -no-pie -o "$build/cmtnoise-timer" "$build/amd64os.linked.o" $fake -pthread
