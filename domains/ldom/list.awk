# Turns what `ldm list -l -p` and `ldm list-devices -a -p` print into one fact a line.
#
# in:  DOMAIN|name=solaris|state=active|flags=normal|cons=5001|ncpu=8|mem=4294967296|util=0.1|uptime=903
#      VCPU
#      |vid=0|pid=8|util=0.1|strand=100
# out: domain solaris active 8 4294967296 5001 normal
#      cpu solaris 8 -
#
# A keyword begins a section, alone on its line or with its first attributes behind it; lines of attributes begin with |. The forms are
# those of the Logical Domains 1.2 and 1.3 Administration Guides (820-7253, example 9-17; 821-0406, "List Power-Managed CPUs").
# Attributes are found by name: later releases have more of them. "-" stands for what is not told.

function attribute(name,    i, n, parts) {
	n = split($0, parts, "|")
	for (i = 1; i <= n; i++)
		if (substr(parts[i], 1, length(name) + 1) == name "=")
			return substr(parts[i], length(name) + 2) == "" ? "-" : substr(parts[i], length(name) + 2)
	return "-"
}

{
	sub(/\r$/, "")
	sub(/^[ \t]+/, "")
	gsub(/ /, "_")
}

/^[A-Z][A-Z]*(\||$)/ {
	section = $0
	sub(/\|.*/, "", section)
}

!/\|/ || /^[^A-Z|]/ { next }

section == "DOMAIN" {
	domain = attribute("name")
	print "domain", domain, attribute("state"), attribute("ncpu"), attribute("mem"), attribute("cons"), attribute("flags")
}

section == "MAC" { print "mac", domain, attribute("mac-addr") }

section == "VCPU" && /\|vid=/ { print "cpu", domain, attribute("pid"), attribute("cid") }

section == "VCPU" && /\|free=/ { print "strand", attribute("pid"), attribute("free"), attribute("cid") }

section == "MEMORY" && /\|pa=/ && !/\|ra=/ { print "memory", attribute("size"), attribute("bound") }

section == "VCC" { print "vcc", attribute("name"), attribute("port-range") }

section == "VSW" { print "vsw", attribute("name"), attribute("net-dev") }

section == "VDS" && /\|name=/ {
	vds = attribute("name")
	print "vds", vds, "-"
}

section == "VDS" && /\|vol=/ { print "volume", attribute("vol") "@" vds, attribute("dev") }
