# Records side by side, by gnuplot alone: the durations of each over time, one panel each on the same scales, and the share of
# repetitions that took longer than a time (the complementary distribution, CCDF), all in one.
#
#   gnuplot -c compare.gp OUTPUT COLUMNS NAMES RECORD...
#
# OUTPUT ends in .png, .pdf or .svg; "" draws in the terminal, COLUMNS wide. NAMES: one line a record, shown for it. At most 6
# records. gnuplot 5.2 or later.

output = ARG1
columns = int(real(ARG2))
names = ARG3
count = ARGC - 3
if (count < 1 || count > 6) {
	print "compare.gp: name 1 to 6 records"
	exit status 2
}
rows = 20
# In heights of the figure of one record: a panel, the label below the last one, the distribution, its key.
panel = 0.5
key_height = 0.045 * count
height = panel * count + 0.08 + 0.95 + key_height
here = ARG0
while (here ne "" && here[strlen(here):] ne "/") { here = here[1:strlen(here) - 1] }

array file[count]
array title_of[count]
array hz[count]
array most_us[count]
array repetitions[count]
array colour[6] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"]
shape = "*+ox#@"
view_low = view_top = end_ms = least_share = least_us = longest_us = NaN
do for [i = 1:count] {
	file[i] = record = value(sprintf("ARG%d", i + 3))
	cut = strstrt(names, "\n")
	name = cut > 0 ? names[1:cut - 1] : names
	names = cut > 0 ? names[cut + 1:] : ""
	load here."header.gp"
	title_of[i] = sprintf("%s: %s on strand %s of %s, %s", name, kernel, strand, host, label)
	hz[i] = timer_hz
	most_us[i] = D_max
	repetitions[i] = D_records
	view_low = view_low <= low ? view_low : low
	view_top = view_top >= top ? view_top : top
	end_ms = end_ms >= T_max + ms(1) ? end_ms : T_max + ms(1)
	least_share = least_share <= 0.5 / D_records ? least_share : 0.5 / D_records
	least_us = least_us <= D_min ? least_us : D_min
	longest_us = longest_us >= D_max ? longest_us : D_max
	# The sum of ones up to a duration, sorted by it: its distribution.
	eval sprintf("set table $sorted%d", i)
	plot record skip 1 using (us($2)):(1) smooth cumulative
	unset table
}
load here."terminal.gp"

if (output ne "") {
	set multiplot
	set lmargin at screen 0.09
	set rmargin at screen 0.97
}
set ylabel "duration, us"
set xrange [0:end_ms]
set yrange [view_low:view_top]
do for [i = 1:count] {
	timer_hz = hz[i]
	unset key
	set title fitted(title_of[i]) noenhanced
	set xlabel i == count || output eq "" ? "begin of the repetition, ms" : ""
	if (output eq "") {
		plot file[i] skip 1 using (ms($1)):(us($2) <= view_top ? us($2) : NaN) with points pt shape[i:i], \
			file[i] skip 1 using (ms($1)):(us($2) > view_top ? view_top : NaN) with points pt "^"
	} else {
		set tmargin at screen 1 - ((i - 1) * panel + 0.1) / height
		set bmargin at screen 1 - (i * panel - 0.08) / height
		unset label 1
		if (most_us[i] > view_top) {
			set label 1 sprintf("some above, up to %.0f us", most_us[i]) at graph 1, 0.93 right front \
				tc rgb "#D55E00" noenhanced
		}
		plot file[i] skip 1 using (ms($1)):(us($2) <= view_top ? us($2) : NaN) with points pt 7 ps 0.5 lc rgb colour[i], \
			file[i] skip 1 using (ms($1)):(us($2) > view_top ? view_top : NaN) with points pt 9 ps 1 lc rgb "#D55E00"
	}
}


unset label 1
set title "CCDF: share of repetitions that took longer" noenhanced
set xlabel "duration, us"
set ylabel "share"
set xrange [least_us:longest_us + 0.02 * (longest_us - least_us) + 1e-3]
set yrange [least_share:1.2]
set logscale y
set format y "%g"
if (longest_us > 4 * least_us) { set logscale x }
set datafile separator whitespace
# Nothing took longer than the longest: a share of 0, drawn at the lower edge.
share(sum, count) = sum < count ? 1 - sum / count : least_share
if (output eq "") {
	set key top right noenhanced
	plot for [i = 1:count] sprintf("$sorted%d", i) using 1:(share($2, repetitions[i])) with points pt shape[i:i] \
		title title_of[i][1:columns / 2]
} else {
	set tmargin at screen 1 - (count * panel + 0.18) / height
	set bmargin at screen (0.18 + key_height) / height
	set key at screen 0.09, screen 0.01 / height bottom left Left reverse noenhanced
	plot for [i = 1:count] sprintf("$sorted%d", i) using 1:(share($2, repetitions[i])) with steps lw 2 lc rgb colour[i] \
		title fitted(title_of[i])
	unset multiplot
}
