# shellcheck shell=sh disable=SC2034,SC2154 # variables are those of ldom.sh, for all its parts
# Sourced by ldom.sh: the plan, printed or run. Both go the same way, so that what is printed is what runs.

plan_domains() {
	# The plan is for a machine as it comes from the factory, whatever was made of this one.
	facts=
	devices=
	state=
	note "$name, for ldm $version, $core_size strands a core. Nothing is changed."
	printf '#   %-12s %7s %6s %7s  %s\n' domain strands cores memory 'disk, console'
	for domain in primary $guests; do
		read_domain "$domain"
		printf '#   %-12s %7s %6s %7s  %s\n' "$domain" "$strands" $((strands / core_size)) "$memory" "$disk, $console"
	done
	steps
}

apply_domains() {
	trap 'say interrupted; half_way' HUP INT TERM
	ask_machine
	refuse_foreign
	check_room
	steps
}

# Nothing is touched while anything of this profile's names is somebody else's.
refuse_foreign() {
	for domain in $guests; do
		read_domain "$domain"
		if [ -n "$(there domain "$domain")" ]; then
			noted domain "$domain" || fail "domain $domain is there already, and was not made by this tool: rename it in the profile"
			same_domain "$domain" || fail "domain $domain is not the one that this tool made, but another of that name: rename it in the profile"
		fi
		volume=$domain-disk@$vds
		[ "$disk" = - ] || [ -z "$(there volume "$volume")" ] || noted volume "$volume" ||
			fail "volume $volume is there already, and was not made by this tool: rename the domain in the profile"
		[ "$disk" = - ] || [ -e "$disk" ] || fail "$disk: is not there, for domain $domain: make it first, such as by 'mkfile 16g $disk'"
	done
	for config in "$name-control" "$name"; do
		! has_config "$config" || noted config "$config" ||
			fail "a configuration $config is kept on the service processor already, and was not made by this tool: change name= in the profile"
	done
}

# Whether a domain has the address that it had when it was made; an address that is not told proves nothing.
same_domain() {
	read -r _ was <<-END
		$(noted_rest domain "$1")
	END
	is=$(there mac "$1")
	is=${is%% *}
	[ "${was:--}" = - ] || [ -z "$is" ] || [ "$is" = - ] || [ "$was" = "$is" ]
}

steps() {
	control_domain
	note "2. the guests"
	wanted=0
	for domain in $guests; do
		read_domain "$domain"
		case $(domain_state "$domain") in
		active | bound) ;;
		*) wanted=$((wanted + strands)) ;;
		esac
	done
	[ "$action" = plan ] || check_free_cores "$wanted"
	for domain in $guests; do
		guest "$domain"
	done
	note "3. whole cores? Each domain's physical strands, before any is started"
	[ "$action" = plan ] && printf '%s list -l -p\n' "$ldm"
	[ "$action" = plan ] || whole_or_stop
	note "4. start them: they stop at OpenBoot's prompt"
	for domain in $guests; do
		[ "$(domain_state "$domain")" = active ] || {
			note_down stale "$name"
			must "$ldm" start-domain "$domain"
		}
	done
	note "5. keep this over a power cycle"
	keep_config "$name"
	[ "$action" = plan ] || finish
}

finish() {
	ask_machine
	for domain in primary $guests; do
		show "$domain" >&2
	done
	say "all is as $profile_path says"
}

# A service of the control domain: one of that name that is there is used as it is.
service() {
	if [ -n "$(there "$1" "$2")" ]; then
		say "$1 $2 is there already"
	else
		kind_of_service=$1
		name_of_service=$2
		shift 2
		create "$kind_of_service" "$name_of_service" -- "$@"
	fi
}

control_domain() {
	note "1. the control domain: services, and what it gives up"
	ended_reset
	service vcc "$vcc" "$ldm" add-vcc "port-range=$vcc_ports" "$vcc" primary
	service vds "$vds" "$ldm" add-vds "$vds" primary
	service vsw "$vsw" "$ldm" add-vsw "net-dev=$net_dev" "$vsw" primary
	read_domain primary
	read -r _ has_strands has_bytes _ <<-END
		$(there domain primary)
	END
	if [ "${has_strands:-}" = "$strands" ] && [ "${has_bytes:-}" = "$bytes" ] && ! noted begun control; then
		say "primary has $strands strands and $memory already"
		return
	fi
	[ -z "${after_reset:-}" ] ||
		fail "the machine was reset, and primary has ${has_strands:-no} strands and ${has_bytes:-no} bytes, not what it was given: was another configuration started (ldm list-config)? The next apply sets it again"
	# ldm may show what primary is to be as if it were so already: these lines tell that its reset is still due.
	note_down begun control
	note_down stale "$name-control"
	unit=mau
	[ "$major" -eq 1 ] || {
		# Memory is not to be taken from a running primary, which these versions would do.
		must "$ldm" start-reconf primary
		unit=crypto
	}
	# A core's cryptographic unit has to go before its strands can.
	[ "$crypto" = - ] || must "$ldm" "set-$unit" "$crypto" primary
	# shellcheck disable=SC2046 # words of a command
	must "$ldm" set-$(amount "$strands") primary
	must "$ldm" set-memory "$memory" primary
	keep_config "$name-control"
	note "reset: shutdown -y -g0 -i6, and the rest after it"
	[ "$action" = plan ] || {
		note_down reset "$(boot_time)"
		strike_out begun control
		say "the control domain is set up. Reset the machine now ('shutdown -y -g0 -i6'), then run apply again for the guests"
		exit 3
	}
}

# After a reset the control domain is what it was set to; before, ldm may show that it will be.
ended_reset() {
	pending=$([ ! -f "$state" ] || awk '$1 == "reset" { $1 = ""; print substr($0, 2); exit }' "$state")
	[ -n "$pending" ] || return 0
	[ "$pending" != "$(boot_time)" ] || {
		say "the machine has not been reset since the control domain was set up: 'shutdown -y -g0 -i6', then apply again"
		exit 3
	}
	strike_out reset ''
	strike_out begun control
	after_reset=yes
}

# A domain that was left half-made holds nothing yet, its disk is a file of its own: it is made again.
guest() {
	case $(domain_state "$1") in
	'') ;;
	inactive | bound)
		if noted whole "$1"; then
			say "$1 is there already, $(domain_state "$1")"
			[ "$(domain_state "$1")" = bound ] || {
				note_down stale "$name"
				must "$ldm" bind-domain "$1"
			}
			return
		fi
		say "$1 was left half-made: it is made again"
		[ "$(domain_state "$1")" = inactive ] || must "$ldm" unbind-domain "$1"
		must "$ldm" remove-domain "$1"
		;;
	*)
		say "$1 is there already, $(domain_state "$1")"
		return
		;;
	esac
	strike_out domain "$1"
	strike_out whole "$1"
	add_guest "$1"
}

add_guest() {
	read_domain "$1"
	note_down stale "$name"
	create domain "$1" "$disk" -- "$ldm" add-domain "$1"
	remember_address "$1"
	# shellcheck disable=SC2046 # words of a command
	must "$ldm" add-$(amount "$strands") "$1"
	must "$ldm" add-memory "$memory" "$1"
	must "$ldm" add-vnet vnet0 "$vsw" "$1"
	if [ "$disk" != - ]; then
		volume=$1-disk@$vds
		[ -n "$(there volume "$volume")" ] || create volume "$volume" -- "$ldm" add-vdsdev "$disk" "$volume"
		must "$ldm" add-vdisk vdisk0 "$volume" "$1"
	fi
	[ "$console" = - ] || must "$ldm" set-vcons "port=$console" "$1"
	must "$ldm" set-variable 'auto-boot?=false' "$1"
	must "$ldm" bind-domain "$1"
	note_down whole "$1"
}

remember_address() {
	[ "$action" != plan ] || return 0
	ask_machine
	is=$(there mac "$1")
	strike_out domain "$1"
	note_down domain "$1" "$disk" "${is:--}"
}

whole_or_stop() {
	ask_machine
	bad=
	for domain in primary $guests; do
		found=$(faults_of "$domain")
		[ -n "$found" ] || continue
		printf '%s\n' "$found" | while read -r text; do say "$text"; done
		bad=yes
	done
	[ -z "$bad" ] || {
		say "these are not the domains of the profile: a strand would share its core with another domain's. None was started"
		half_way
	}
}

keep_config() {
	[ "$action" = plan ] || ! has_config "$1" || {
		noted stale "$1" || {
			say "configuration $1 is kept already"
			return
		}
		must "$ldm" remove-config "$1"
		strike_out config "$1"
	}
	create config "$1" -- "$ldm" add-config "$1"
	strike_out stale "$1"
}
