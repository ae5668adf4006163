# Checks that standard input is a whole record (results/FORMAT.md), for a machine without Python.
# Errors: "FILE:LINE: what is wrong" on standard error (FILE from the variable CMTNOISE_RECORD of the environment), exit 1. The full check is plots/cmtnoise/record.py.

function fail(text) {
	print "cmtnoise plot: " ENVIRON["CMTNOISE_RECORD"] ":" NR ": " text | "cat 1>&2"
	failed = 1
	exit 1
}

NR == 1 && $0 != "# record_version: 1" { fail("expected '# record_version: 1': this is no cmtnoise record") }

!rows_begin && /^# [^ ]+: / {
	key = $2
	sub(/:$/, "", key)
	if (key != "warning" && key in value)
		fail("a second line for '" key "'")
	if (/[[:cntrl:]]/)
		fail("a control character in the header")
	value[key] = $0
	sub(/^# [^ ]+: /, "", value[key])
	next
}

!rows_begin {
	if ($0 != "start_counts\tduration_counts")
		fail("expected '# key: value' or the column names")
	if (value["timer_hz"] !~ /^[1-9][0-9]*$/ || value["repetitions"] !~ /^[1-9][0-9]*$/)
		fail("the header has no timer_hz and repetitions above 0")
	rows_begin = 1
	next
}

!/^[0-9]+\t[0-9]+$/ || length($1) > 20 || length($2) > 20 { fail("expected two whole numbers below 2^64 and a tab") }

# Numbers are exact to 2^53 here; a record that long has other readers.
$1 < 9007199254740992 && $1 + 0 != end { fail("start_counts is " $1 ", but the repetition before ended at " end) }

{
	rows++
	end = $1 + $2
}

END {
	if (failed)
		exit 1
	if (!rows_begin)
		fail("the file ends before the column names: it was cut")
	if (rows != value["repetitions"])
		fail("the header promises " value["repetitions"] " repetitions, the file has " rows + 0)
}
