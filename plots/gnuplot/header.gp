# Loaded by the scripts beside it: reads the record whose name is in `record`. Sets timer_hz, kernel, strand, core, host, label,
# started; statistics D_ (durations, us) and T_ (begins, ms); and low and top, between which its durations are shown.
#
# The header is read as data and shown without interpretation (noenhanced): nothing in it can be executed. A file NAME can:
# gnuplot runs what follows a < or | at its start, so names are to be given with their folder (cmtnoise plot does).

if (record eq "" || record[1:1] eq "<" || record[1:1] eq "|") {
	print "name a record, with its folder"
	exit status 2
}

# One column a line, whatever is in it: the separator does not occur in text. A title has room for 80 characters.
set encoding utf8
field(line, key) = (strlen(line) > strlen(key) + 4 && line[1:strlen(key) + 4] eq "# ".key.": ") ? line[strlen(key) + 5:strlen(key) + 84] : ""
keep(line) = ( \
	timer_hz = field(line, "timer_hz") ne "" ? real(field(line, "timer_hz")) : timer_hz, \
	kernel = field(line, "kernel") ne "" ? field(line, "kernel") : kernel, \
	strand = field(line, "strand") ne "" ? field(line, "strand") : strand, \
	core = field(line, "core") ne "" ? field(line, "core") : core, \
	host = field(line, "host") ne "" ? field(line, "host") : host, \
	label = field(line, "label") ne "" ? field(line, "label") : label, \
	started = field(line, "start_time") ne "" ? field(line, "start_time") : started, \
	0)
timer_hz = 0
kernel = strand = core = host = label = started = "?"
set datafile commentschars ""
set datafile separator "\001"
set table $unused
plot record every ::0::80 using (keep(stringcolumn(1))):(0) with table
unset table
if (timer_hz <= 0) {
	print record.": the header has no timer_hz: this is no cmtnoise record"
	exit status 1
}
set datafile commentschars "#"
set datafile separator "\t"

ms(counts) = counts * 1e3 / timer_hz
us(counts) = counts * 1e6 / timer_hz
# "skip" counts no comment lines: the column names are the first line left.
stats record skip 1 using (us($2)) name "D" nooutput
stats record skip 1 using (ms($1)) name "T" nooutput
# One stall of milliseconds would flatten every tick peak: what lies beyond the view is drawn at its edge.
sorted_high = D_median + 12 * (D_up_quartile - D_lo_quartile) + 0.8 * D_median
top = D_max < sorted_high ? D_max + 0.05 * (D_max - D_min) : sorted_high
low = D_min - 0.06 * (top - D_min)
if (top <= low) { top = low + 1 }
