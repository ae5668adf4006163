# The study's figure from one record, by gnuplot alone: x, begin of each repetition; y, its duration.
#
#   gnuplot -c record.gp RECORD [OUTPUT.png|OUTPUT.pdf|OUTPUT.svg [COLUMNS]]
#
# Without OUTPUT (or with "") it is drawn in the terminal, COLUMNS wide. gnuplot 5.2 or later.

record = ARG1
output = ARGC > 1 ? ARG2 : ""
columns = ARGC > 2 ? int(real(ARG3)) : 100
rows = 30
height = 1
here = ARG0
while (here ne "" && here[strlen(here):] ne "/") { here = here[1:strlen(here) - 1] }
load here."header.gp"
load here."terminal.gp"

set title fitted(sprintf("kernel %s on strand %s (core %s) of %s, %s, %s", kernel, strand, core, host, label, started)) noenhanced
set xlabel "begin of the repetition, ms"
set ylabel "duration, us"
set xrange [0:T_max + ms(1)]
set yrange [low:top]
unset key
if (output eq "") {
	plot record skip 1 using (ms($1)):(us($2) <= top ? us($2) : NaN) with points pt "*", \
		record skip 1 using (ms($1)):(us($2) > top ? top : NaN) with points pt "^"
} else {
	if (D_max > top) {
		set label 1 sprintf("some above, up to %.0f us", D_max) at graph 1, 1.02 right tc rgb "#D55E00" noenhanced
	}
	plot record skip 1 using (ms($1)):(us($2) <= top ? us($2) : NaN) with points pt 7 ps 0.6 lc rgb "#0072B2", \
		record skip 1 using (ms($1)):(us($2) > top ? top : NaN) with points pt 9 ps 1 lc rgb "#D55E00"
}
