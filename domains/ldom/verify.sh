# shellcheck shell=sh disable=SC2034,SC2154 # variables are those of ldom.sh, for all its parts
# Sourced by ldom.sh: whether domains fit, and whether they became what the profile says.

# Adds up, of strands and memory: what the machine has, what domains of others hold, what those of the profile want.
check_room() {
	ask_devices
	others=$(printf '%s\n' "$facts" | awk -v ours="primary $guests" '
		BEGIN { n = split(ours, names, " "); for (i = 1; i <= n; i++) mine[names[i]] = 1 }
		$1 == "domain" && !($2 in mine) && $3 != "inactive" { strands += $4; bytes += $5 }
		END { printf "%d %.0f", strands, bytes }')
	problem=$({
		printf '%s\n' "$profile" | awk '$1 == "domain" { print "wants", $3, $5 }'
		printf '%s\n' "$devices"
	} | awk -v others="$others" -v core="$core_size" '
		$1 == "wants" { strands += $2; bytes += $3 }
		$1 == "strand" { there++; size[$4 == "-" ? int($2 / core) : $4]++ }
		$1 == "memory" && $3 != "_sys_" { room += $2 }
		END {
			split(others, held, " ")
			for (id in size)
				if (size[id] > most)
					most = size[id]
			if (!there || !room)
				print "ldm list-devices -a -p tells of no strands, or no memory: nothing can be checked"
			else if (most != core)
				printf "a core of this machine has %d strands, the profile says strands_per_core=%d\n", most, core
			else if (strands > there - held[1])
				printf "the domains want %d strands; the machine has %d, of which other domains hold %d\n", strands, there, held[1]
			else if (bytes > room - held[2])
				printf "the domains want %.0f MB of memory; the machine has %.0f MB for domains, of which others hold %.0f MB\n", \
					bytes / 1048576, room / 1048576, held[2] / 1048576
		}')
	[ -z "$problem" ] || fail "$profile_path: $problem"
}

# Whether so many strands are free in whole cores, beside what is bound already.
check_free_cores() {
	[ "$1" -gt 0 ] || return 0
	free=$(printf '%s\n' "$devices" | awk -v core="$core_size" '
		$1 == "strand" { id = $4 == "-" ? int($2 / core) : $4; if ($3 == 100) free[id]++ }
		END { for (id in free) if (free[id] == core) whole++; print whole + 0 }')
	[ $((free * core_size)) -ge "$1" ] ||
		fail "$profile_path: the guests want $(($1 / core_size)) whole cores, and $free are free: others share a core with somebody (ldm list-devices -a cpu)"
}

# One line for each fault of a domain: strands, memory, and cores that are not its own alone.
faults_of() {
	read_domain "$1"
	printf '%s\n' "$facts" | awk -v name="$1" -v strands="$strands" -v bytes="$bytes" -v core="$core_size" '
		$1 == "domain" && $2 == name {
			seen = 1
			if ($4 + 0 != strands + 0) printf "%s has %s strands, not %s\n", name, $4, strands
			if ($5 + 0 != bytes + 0) printf "%s has %.0f MB of memory, not %.0f\n", name, $5 / 1048576, bytes / 1048576
		}
		$1 == "cpu" {
			id = $4 == "-" ? int($3 / core) : $4
			if ($2 == name) mine[id]++
			holds[id] = holds[id] " " $3 " (" $2 ")"
		}
		END {
			if (!seen) print name " is not there"
			for (id in mine)
				if (mine[id] != core)
					printf "%s has %d of the %d strands of core %s:%s\n", name, mine[id], core, id, holds[id]
		}'
}

# Prints where a domain came to lie.
show() {
	printf '%s\n' "$facts" | awk -v name="$1" -v core="$core_size" '
		$1 == "domain" && $2 == name { line = sprintf("%s: %s, %.0f MB", name, $3, $5 / 1048576); console = $6 }
		$1 == "cpu" && $2 == name {
			id = $4 == "-" ? int($3 / core) : $4
			strands = strands (strands == "" ? "" : ",") $3
			if (!(id in seen)) { seen[id] = 1; cores = cores (cores == "" ? "" : ",") id }
		}
		END {
			if (line == "") exit
			if (strands != "") line = line ", physical strands " strands " (cores " cores ")"
			if (console ~ /^[0-9]+$/) line = line ", console: telnet localhost " console
			print line
		}'
}

check_domains() {
	ask_machine
	bad=
	for domain in primary $guests; do
		show "$domain"
		found=$(faults_of "$domain")
		[ -n "$found" ] || continue
		printf '%s\n' "$found" | while read -r text; do say "$text"; done
		bad=yes
	done
	[ -z "$bad" ] || exit 1
}
