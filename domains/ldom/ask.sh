# shellcheck shell=sh disable=SC2034,SC2154 # variables are those of ldom.sh, for all its parts
# Sourced by ldom.sh: asking the profile and the machine.
: "${here:?}"

# Solaris' own awk is from before functions; nawk has them.
find_awk() {
	for awk_program in nawk /usr/xpg4/bin/awk awk; do
		command -v "$awk_program" >/dev/null 2>&1 && return
	done
	fail 'neither nawk nor awk is on PATH'
}

awk() {
	command "$awk_program" "$@"
}

find_ldm() {
	for ldm in ldm /opt/SUNWldm/bin/ldm /usr/sbin/ldm; do
		command -v "$ldm" >/dev/null 2>&1 && break
		ldm=
	done
	if [ -n "$ldm" ]; then
		[ -n "$version" ] || version=$("$ldm" -V 2>/dev/null </dev/null | awk '
			/Logical Domains? Manager/ && match($0, /[0-9]+\.[0-9]+/) { print substr($0, RSTART, RLENGTH); exit }')
		[ -n "$version" ] || fail "'$ldm -V' does not tell a version: is ldmd running, and is this the control domain?"
	else
		[ "$action" = plan ] || fail "there is no ldm here: '$action' runs in the control domain, with the Logical Domains Manager installed"
		ldm=ldm
		version=${version:-1.3}
	fi
}

# What of ldm's syntax depends on its version: strands by number until 1.3, whole cores by -c from 2.0, by their own commands from 2.2.
choose_syntax() {
	case $version in
	[1-9].[0-9] | [1-9].[0-9][0-9]) ;;
	*) fail "version '$version' of ldm is none that is known: 1.0 to 3.6" ;;
	esac
	major=${version%%.*}
	minor=${version#*.}
	case $major in
	1) whole_cores= ;;
	2 | 3)
		whole_cores='vcpu -c'
		[ "$major$minor" -lt 22 ] || whole_cores=core
		[ "$core_size" -ne 4 ] || fail "ldm $version manages no UltraSPARC T1: those have 1.0 to 1.3. On a later machine a core has 8 strands: strands_per_core=8"
		;;
	*) fail "version $version of ldm is none that is known: 1.0 to 3.6" ;;
	esac
}

# The number of strands as add- and set- want it: "vcpu 8", "vcpu -c 1", "core 1".
amount() {
	if [ -n "$whole_cores" ]; then
		printf '%s %s' "$whole_cores" $(($1 / core_size))
	else
		printf 'vcpu %s' "$1"
	fi
}

# The settings, in the order in which profile.awk prints them, and the names of the guests.
read_settings() {
	read -r name core_size vcc vcc_ports vds vsw net_dev guests <<-END
		$(printf '%s\n' "$profile" | awk '$1 == "set" { printf "%s ", $3 } $1 == "domain" && $2 != "primary" { printf "%s ", $2 }')
	END
}

# read_domain NAME: its line of the profile, in variables.
read_domain() {
	read -r strands memory bytes crypto disk console <<-END
		$(printf '%s\n' "$profile" | awk -v name="$1" '$1 == "domain" && $2 == name { print $3, $4, $5, $6, $7, $8 }')
	END
}

# What is there, as facts of a line each (list.awk). list -o cpu would do for the strands, but early releases have no -o.
ask_machine() {
	facts=$("$ldm" list -l -p </dev/null) || fail "'$ldm list -l -p' failed"
	facts=$(printf '%s\n' "$facts" | awk -f "$here/list.awk")
	[ -n "$(there domain primary)" ] || fail "'$ldm list -l -p' tells of no domain primary: is this the control domain?"
}

ask_devices() {
	devices=$("$ldm" list-devices -a -p </dev/null) || fail "'$ldm list-devices -a -p' failed"
	devices=$(printf '%s\n' "$devices" | awk -f "$here/list.awk")
}

# there KIND NAME: the rest of the fact, "" where there is none.
there() {
	printf '%s\n' "$facts" | awk -v kind="$1" -v name="$2" '$1 == kind && $2 == name { $1 = $2 = ""; print substr($0, 3) " " }'
}

domain_state() {
	word=$(there domain "$1")
	printf '%s' "${word%% *}"
}

has_config() {
	"$ldm" list-config </dev/null | awk -v name="$1" '$1 == name { found = 1 } END { exit !found }'
}

# When the machine was started; "" where nobody tells.
boot_time() {
	who -b 2>/dev/null | awk '{ $1 = $1; print; exit }'
}
