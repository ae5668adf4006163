# Prints short names for the files named by the arguments (absolute), one a line: without the folders that all have in common, the
# end of what is longer than 60 bytes, "?" for what would break a line or move a cursor. For LC_ALL=C.

BEGIN {
	depth = split(ARGV[1], common, "/") - 1
	for (i = 2; i < ARGC; i++) {
		parts = split(ARGV[i], folder, "/") - 1
		if (parts < depth)
			depth = parts
		for (k = 1; k <= depth && folder[k] == common[k]; k++)
			;
		depth = k - 1
	}
	for (i = 1; i < ARGC; i++) {
		parts = split(ARGV[i], folder, "/")
		name = folder[depth + 1]
		for (k = depth + 2; k <= parts; k++)
			name = name "/" folder[k]
		gsub(/[[:cntrl:]]/, "?", name)
		if (length(name) > 60) {
			name = substr(name, length(name) - 56)
			sub(/^[\200-\277]+/, "", name) # the rest of a character that was cut
			name = "..." name
		}
		print name
	}
}
