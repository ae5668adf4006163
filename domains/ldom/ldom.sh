#!/bin/sh
# ldom.sh: makes the Logical Domains of a profile on an UltraSPARC T1 (or later), and removes them again (docs/ldom.md).
#
#   ldom.sh plan domains/profiles/study-t1        the plan and every ldm command; changes nothing, needs no ldm
#   ldom.sh apply domains/profiles/study-t1       runs them; can be run again: does what is missing
#   ldom.sh check domains/profiles/study-t1       what is there, and whether it is what the profile says
#   ldom.sh teardown domains/profiles/study-t1    removes what apply made, and nothing else
#
# stdout: the commands. stderr: talk. Exit: 0 done, 1 refused or failed, 2 wrong usage, 3 reset the machine and apply again.

# /bin/sh of Solaris 10 is a Bourne shell from before POSIX: go on in the other one. Nothing above this may need more.
if test -x /usr/xpg4/bin/sh && test -z "$CMTNOISE_LDOM_SHELL"; then
	CMTNOISE_LDOM_SHELL=xpg4
	export CMTNOISE_LDOM_SHELL
	exec /usr/xpg4/bin/sh "$0" ${1+"$@"}
fi
set -eu
LC_ALL=C
export LC_ALL
# The parts lie beside the script, which a link on PATH may name. Solaris 10 has no readlink.
script=$0
while [ -h "$script" ]; do
	target=$(ls -ld "$script")
	target=${target#*"$script -> "}
	case $target in
	/*) script=$target ;;
	*) script=$(dirname "$script")/$target ;;
	esac
done
here=$(dirname "$script")
# shellcheck source=domains/ldom/ask.sh
. "$here/ask.sh"
# shellcheck source=domains/ldom/state.sh
. "$here/state.sh"
# shellcheck source=domains/ldom/verify.sh
. "$here/verify.sh"
# shellcheck source=domains/ldom/apply.sh
. "$here/apply.sh"
# shellcheck source=domains/ldom/teardown.sh
. "$here/teardown.sh"

usage() {
	cat <<-'END'
		usage: ldom.sh [plan] PROFILE [--ldm VERSION]
		       ldom.sh apply|check PROFILE [--state FILE]
		       ldom.sh teardown PROFILE [--force] [--state FILE]

		Makes the Logical Domains of a profile. plan, the default, only prints what apply would run.
		  --ldm VERSION   plan for this version of the Logical Domains Manager (default: the one here, else 1.3)
		  --state FILE    where apply notes what it made (default: /var/opt/cmtnoise/ldom-NAME)
		  --force         stop guests that do not shut down by themselves, as a power switch would
	END
}

say() {
	printf 'ldom: %s\n' "$*" >&2
}

fail() {
	say "$*"
	exit 1
}

wrong() {
	say "$*"
	usage >&2
	exit 2
}

# One command of the plan, as it would be typed. A failure is told with what was made, and how to undo it.
run() {
	line=
	for word in "$@"; do
		case $word in
		*[!A-Za-z0-9_./@=,:-]*) word="'$word'" ;;
		esac
		line="$line${line:+ }$word"
	done
	printf '%s\n' "$line"
	[ "$action" = plan ] && return
	"$@" </dev/null >&2 && return
	say "this command failed: $line"
	return 1
}

note() {
	printf '# %s\n' "$*"
}

read_profile() {
	if [ ! -f "$1" ] || [ ! -r "$1" ]; then
		fail "$1: there is no such profile that can be read"
	fi
	profile=$(awk -v path="$1" -f "$here/profile.awk" "$1") || {
		printf '%s\n' "$profile" >&2
		exit 1
	}
}

read_options() {
	version=
	state=
	state_option=
	force=
	profile_path=
	while [ $# -gt 0 ]; do
		case $1 in
		--help | -h)
			usage
			exit 0
			;;
		--ldm | --state)
			[ $# -ge 2 ] || wrong "$1 wants a value"
			if [ "$1" = --ldm ]; then
				version=$2
			else
				state=$2
				state_option=" --state $2"
			fi
			shift
			;;
		--force) force=yes ;;
		-*) wrong "there is no option $1" ;;
		*)
			[ -z "$profile_path" ] || wrong "wants one profile; got $profile_path and $1"
			profile_path=$1
			;;
		esac
		shift
	done
	[ -n "$profile_path" ] || wrong "wants one profile, such as domains/profiles/study-t1"
	[ "$action" = plan ] || [ -z "$version" ] || wrong "--ldm is for plan: $action asks the ldm that is here"
}

main() {
	action=plan
	case ${1:-} in
	plan | apply | check | teardown | --plan | --apply | --check | --teardown)
		action=${1#--}
		shift
		;;
	-* | */* | '') ;;
	*) [ -e "$1" ] || wrong "$1 is no command, and there is no such profile" ;;
	esac
	read_options "$@"
	find_awk
	read_profile "$profile_path"
	read_settings
	state=${state:-/var/opt/cmtnoise/ldom-$name}
	find_ldm
	choose_syntax
	"$action"_domains
}

main "$@"
