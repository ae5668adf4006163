# shellcheck shell=sh disable=SC2034,SC2154 # variables are those of ldom.sh, for all its parts
# Sourced by ldom.sh: the state file, a line for each thing that apply made. A line is there before the thing is made, and goes again if
# that fails, so that nothing is ever made without a trace.
#
#   domain solaris /ldoms/solaris.img 00:14:4f:fb:42:5c     made; "-" without a disk or an address
#   whole solaris                                            all its parts were added
#   volume solaris-disk@primary-vds0      vcc NAME    vds NAME    vsw NAME    config NAME
#   begun control                                            the control domain is being set up
#   reset . system boot Nov 21 14:36                         it was, when the machine had been started then; a reset is due
#   stale study-t1                                           what is kept under this name is no longer what is there

noted() {
	[ -f "$state" ] && awk -v kind="$1" -v name="$2" '$1 == kind && $2 == name { found = 1 } END { exit !found }' "$state"
}

# The names of a kind, last made first.
noted_names() {
	[ -f "$state" ] || return 0
	awk -v kind="$1" '$1 == kind { names = $2 " " names } END { print names }' "$state"
}

noted_rest() {
	[ -f "$state" ] || return 0
	awk -v kind="$1" -v name="$2" '$1 == kind && $2 == name { print $3, $4 }' "$state"
}

# note_down KIND NAME [REST...]
note_down() {
	[ "$action" != plan ] || return 0
	if [ ! -f "$state" ]; then
		mkdir -p "$(dirname "$state")" || fail "$state: its folder cannot be made: name another file with --state"
		printf '# What ldom.sh made of %s, and teardown removes. Do not edit.\n' "$name" >"$state" ||
			fail "$state: cannot be written, and without it nothing could be undone: name another with --state"
	fi
	noted "$1" "$2" || printf '%s\n' "$*" >>"$state" || fail "$state: cannot be written"
}

strike_out() {
	if [ "$action" = plan ] || [ ! -f "$state" ]; then
		return 0
	fi
	awk -v kind="$1" -v name="$2" '!($1 == kind && (name == "" || $2 == name))' "$state" >"$state.new" ||
		fail "$state.new: cannot be written"
	mv "$state.new" "$state" || fail "$state: cannot be written"
}

made_so_far() {
	[ -f "$state" ] || return 0
	awk '/^(domain|volume|vcc|vds|vsw|config) / { list = list (list ? ", " : "") $1 " " $2 } END { print list }' "$state"
}

# create KIND NAME REST... -- COMMAND...: notes it down, runs the command, strikes it out if that fails.
create() {
	kind=$1
	thing=$2
	rest=
	shift 2
	while [ "$1" != -- ]; do
		rest="$rest $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # words of a state line
	note_down "$kind" "$thing" $rest
	run "$@" && return
	strike_out "$kind" "$thing"
	half_way
}

must() {
	run "$@" || half_way
}

half_way() {
	made=$(made_so_far)
	say "made so far: ${made:-nothing}"
	say "mend the cause and run apply again: it goes on from here"
	[ -z "$made" ] || say "or undo it all: ldom.sh teardown$state_option $profile_path"
	exit 1
}
