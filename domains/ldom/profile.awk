# Reads a profile (docs/ldom.md) and checks what can be told without a machine.
#
#   awk -v path=PROFILE -f profile.awk PROFILE
#
# in:  strands=8      out: set name study-t1
#                          domain solaris 8 4G 4294967296 - /ldoms/solaris.img 5001
# "-" stands for what a domain does not say. A fault is told as PROFILE:LINE: and the exit status is 1.
# For nawk too: no whole-array delete, no intervals in patterns, and no %d for what may exceed 32 bits.

function fault(line, text) {
	print path ":" line ": " text
	faults++
}

function bytes(text,    unit) {
	if (text !~ /^[1-9][0-9]*[GgMm]$/)
		return 0
	unit = substr(text, length(text))
	return substr(text, 1, length(text) - 1) * (unit ~ /[Gg]/ ? 1073741824 : 1048576)
}

function is_count(text) {
	return text ~ /^[1-9][0-9]*$/ && length(text) < 6
}

# Names go into commands: what ldm takes (a letter first), less what a shell would read otherwise.
function is_name(text) {
	return text ~ /^[A-Za-z][A-Za-z0-9_-]*$/ && length(text) <= 40
}

function is_range(text,    ends) {
	return split(text, ends, "-") == 2 && is_count(ends[1]) && is_count(ends[2]) && ends[1] + 0 <= ends[2] + 0
}

function check_global(key, value) {
	if (key == "strands_per_core" && !is_count(value))
		fault(NR, "strands_per_core wants a number such as 4; got '" value "'")
	else if (key == "vcc_ports" && !is_range(value))
		fault(NR, "vcc_ports wants a range such as 5000-5100, the lower one first; got '" value "'")
	else if (key !~ /^(strands_per_core|vcc_ports)$/ && !is_name(value))
		fault(NR, key " wants a name of letters, digits, - and _, a letter first; got '" value "'")
}

function check_member(key, value) {
	if (key == "strands" && !is_count(value))
		fault(NR, "strands wants a number; got '" value "'")
	else if (key == "memory" && !bytes(value))
		fault(NR, "memory wants a size such as 4G or 3584M; got '" value "'")
	else if (key == "crypto" && value !~ /^[0-9][0-9]?$/)
		fault(NR, "crypto wants a number of cryptographic units; got '" value "'")
	else if (key == "disk" && value !~ /^\/[A-Za-z0-9_.\/-]+$/)
		fault(NR, "disk wants the absolute path of a file or device, without blanks; got '" value "'")
	else if (key == "console" && !is_count(value))
		fault(NR, "console wants a port; got '" value "'")
	else if (key == "crypto" && domain != "primary")
		fault(NR, "crypto is a key of the domain primary alone")
	else if (key ~ /^(disk|console)$/ && domain == "primary")
		fault(NR, key " is no key of the domain primary")
}

function begin_domain(value,    i) {
	if (!is_name(value))
		fault(NR, "domain wants a name of letters, digits, - and _, a letter first; got '" value "'")
	for (i = 1; i <= count; i++)
		if (names[i] == value)
			fault(NR, "there is a domain '" value "' already, on line " at[value])
	domain = value
	names[++count] = value
	at[value] = NR
}

BEGIN {
	n = split("name strands_per_core vcc vcc_ports vds vsw net_dev", wanted, " ")
	for (i = 1; i <= n; i++)
		is_global[wanted[i]] = 1
	m = split("strands memory crypto disk console", members, " ")
	for (i = 1; i <= m; i++)
		is_member[members[i]] = 1
}

{
	sub(/\r$/, "")
	sub(/^[ \t]*#.*/, "")
	sub(/[ \t]+#.*/, "")
	sub(/^[ \t]+/, "")
	sub(/[ \t]+$/, "")
}

$0 == "" { next }

!/^[a-z_]+=./ {
	fault(NR, "wants a line such as strands=8; got '" $0 "'")
	next
}

{
	key = substr($0, 1, index($0, "=") - 1)
	value = substr($0, index($0, "=") + 1)
	if (key == "domain") {
		begin_domain(value)
	} else if (key in is_global) {
		if (domain != "")
			fault(NR, key " is about all domains: it stands before the first domain=")
		else if (key in globals)
			fault(NR, key " is there already")
		else
			check_global(key, value)
		globals[key] = value
	} else if (key in is_member) {
		if (domain == "")
			fault(NR, key " is about one domain: it stands after a domain=")
		else if ((domain, key) in have)
			fault(NR, key " of domain '" domain "' is there already")
		else
			check_member(key, value)
		have[domain, key] = value
		line_of[domain, key] = NR
	} else {
		fault(NR, "there is no key '" key "'; docs/ldom.md has them")
	}
}

function check_whole(    i, d, strands, core, less) {
	core = globals["strands_per_core"]
	for (i = 1; i <= count; i++) {
		d = names[i]
		strands = have[d, "strands"]
		if (strands == "" || have[d, "memory"] == "") {
			fault(at[d], "domain '" d "' wants strands= and memory=")
		} else if (is_count(core) && strands % core) {
			less = strands - strands % core
			fault(line_of[d, "strands"], strands " strands are no whole cores, a core has " core \
			      ": strands of another domain would share one. Say " (less ? less " or " : "") less + core)
		}
	}
}

function check_consoles(    i, j, ends, port) {
	split(globals["vcc_ports"], ends, "-")
	for (i = 1; i <= count; i++) {
		port = have[names[i], "console"]
		if (port == "")
			continue
		if (is_range(globals["vcc_ports"]) && (port + 0 < ends[1] + 0 || port + 0 > ends[2] + 0))
			fault(line_of[names[i], "console"], "console " port " is not one of vcc_ports, " globals["vcc_ports"])
		for (j = 1; j < i; j++)
			if (have[names[j], "console"] == port)
				fault(line_of[names[i], "console"], "console " port " is that of domain '" names[j] "'")
	}
}

function check_disks(    i, j, disk) {
	for (i = 1; i <= count; i++) {
		disk = have[names[i], "disk"]
		for (j = 1; j < i; j++)
			if (disk != "" && have[names[j], "disk"] == disk)
				fault(line_of[names[i], "disk"], "disk " disk " is that of domain '" names[j] "'")
	}
}

function or_none(text) {
	return text == "" ? "-" : text
}

END {
	for (i = 1; i <= n; i++)
		if (!(wanted[i] in globals))
			fault(NR, "a line " wanted[i] "=... is missing")
	if (names[1] != "primary")
		fault(count ? at[names[1]] : NR, "the first domain is primary, the control domain")
	if (count < 2)
		fault(NR, "there is no domain besides primary")
	check_whole()
	check_consoles()
	check_disks()
	if (faults)
		exit 1
	for (i = 1; i <= n; i++)
		print "set", wanted[i], globals[wanted[i]]
	for (i = 1; i <= count; i++) {
		d = names[i]
		printf "domain %s %s %s %.0f %s %s %s\n", d, have[d, "strands"], have[d, "memory"], bytes(have[d, "memory"]), \
			or_none(have[d, "crypto"]), or_none(have[d, "disk"]), or_none(have[d, "console"])
	}
}
