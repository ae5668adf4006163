# shellcheck shell=sh disable=SC2034,SC2154 # variables are those of ldom.sh, for all its parts
# Sourced by ldom.sh: removes what the state file names, last made first, and strikes out each as it goes, so that a teardown that was
# stopped goes on where it was.

teardown_domains() {
	[ -f "$state" ] || {
		say "$state: is not there: nothing was made of $name, or it was removed already"
		return
	}
	trap 'say "interrupted: run teardown again, it goes on from here"; exit 1' HUP INT TERM
	ask_machine
	left=
	for domain in $(noted_names domain); do
		remove_guest "$domain"
	done
	for volume in $(noted_names volume); do
		remove volume "$volume" "$ldm" remove-vdsdev "$volume"
	done
	for kind in vsw vds vcc; do
		for service in $(noted_names "$kind"); do
			remove_service "$kind" "$service"
		done
	done
	for config in $(noted_names config); do
		if has_config "$config"; then
			gone "$ldm" remove-config "$config"
		else
			say "configuration $config is gone already"
		fi
		strike_out config "$config"
	done
	[ -z "$left" ] || fail "mend that and run teardown again. Still there: $(made_so_far)"
	rm "$state"
	say "what was made of $name is removed. The control domain keeps what it has: 'ldm set-config factory-default' and a power cycle give it the whole machine"
}

gone() {
	run "$@" || fail "mend the cause and run teardown again: it goes on from here. Still there: $(made_so_far)"
}

# remove KIND NAME COMMAND...
remove() {
	removed_kind=$1
	removed=$2
	shift 2
	if [ -n "$(there "$removed_kind" "$removed")" ]; then
		gone "$@"
	else
		say "$removed_kind $removed is gone already"
	fi
	strike_out "$removed_kind" "$removed"
}

# Somebody else's domains may use it by now: the rest goes all the same.
remove_service() {
	if [ -z "$(there "$1" "$2")" ]; then
		say "$1 $2 is gone already"
	elif ! run "$ldm" "remove-$1" "$2"; then
		say "$1 $2 is left: does another domain use it?"
		left=yes
		return
	fi
	strike_out "$1" "$2"
}

remove_guest() {
	case $(domain_state "$1") in
	'') say "domain $1 is gone already" ;;
	*)
		same_domain "$1" || fail "domain $1 is not the one that this tool made, but another of that name: it is left alone, and so is the rest"
		[ "$(domain_state "$1")" != active ] || stop_guest "$1"
		[ "$(domain_state "$1")" = inactive ] || gone "$ldm" unbind-domain "$1"
		gone "$ldm" remove-domain "$1"
		;;
	esac
	strike_out domain "$1"
	strike_out whole "$1"
}

# A guest without a disk has nothing to lose; another is asked to shut down, and only --force pulls its plug.
stop_guest() {
	read -r disk _ <<-END
		$(noted_rest domain "$1")
	END
	if [ -n "$force" ] || [ "$disk" = - ]; then
		gone "$ldm" stop-domain -f "$1"
	else
		run "$ldm" stop-domain "$1" || :
	fi
	ask_machine
	[ "$(domain_state "$1")" != active ] ||
		fail "domain $1 still runs: shut it down from its console and run teardown again, or use --force, which stops it as a power switch would"
}
