# The study's figure from one record, by gnuplot alone: x, begin of each repetition; y, its duration.
#
#   gnuplot -c record.gp RECORD [OUTPUT.png|OUTPUT.pdf|OUTPUT.svg [COLUMNS]]
#
# Without OUTPUT (or with "") it is drawn in the terminal, COLUMNS wide. gnuplot 5.2 or later.
#
# The header is read as data and shown without interpretation (noenhanced): nothing in it can be executed. A file NAME can:
# gnuplot runs what follows a < or | at its start, so give RECORD and OUTPUT with their folder (cmtnoise plot does).

record = ARG1
output = ARGC > 1 ? ARG2 : ""
columns = ARGC > 2 ? int(real(ARG3)) : 100
if (record eq "" || record[1:1] eq "<" || output[1:1] eq "|") {
	print "record.gp: name a record, with its folder"
	exit status 2
}

# One column a line, whatever is in it: the separator does not occur in text.
field(line, key) = (strlen(line) > strlen(key) + 4 && line[1:strlen(key) + 4] eq "# ".key.": ") ? line[strlen(key) + 5:] : ""
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
	print "record.gp: ".record.": the header has no timer_hz: this is no cmtnoise record"
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

if (output eq "") {
	set terminal dumb size columns, 30 noenhanced
} else {
	ending = output[strlen(output) - 2:]
	if (ending eq "pdf") { set terminal pdfcairo noenhanced size 18cm, 9cm font ",9" }
	if (ending eq "svg") { set terminal svg noenhanced size 900, 450 dynamic background "white" }
	if (ending eq "png") { set terminal pngcairo noenhanced size 1350, 675 fontscale 1.3 }
	set output output
}
set title sprintf("kernel %s on strand %s (core %s) of %s, %s, %s", kernel, strand, core, host, label, started) noenhanced
set xlabel "begin of the repetition, ms"
set ylabel "duration, us"
set xrange [0:T_max + ms(1)]
set yrange [low:top]
set tics out nomirror
set border 3
set grid lc rgb "#dddddd"
unset key
if (output eq "") {
	unset grid
	plot record skip 1 using (ms($1)):(us($2) <= top ? us($2) : NaN) with points pt "*", \
		record skip 1 using (ms($1)):(us($2) > top ? top : NaN) with points pt "^"
} else {
	if (D_max > top) {
		set label 1 sprintf("some above, up to %.0f us", D_max) at graph 1, 1.02 right tc rgb "#D55E00" noenhanced
	}
	plot record skip 1 using (ms($1)):(us($2) <= top ? us($2) : NaN) with points pt 7 ps 0.6 lc rgb "#0072B2", \
		record skip 1 using (ms($1)):(us($2) > top ? top : NaN) with points pt 9 ps 1 lc rgb "#D55E00"
}
