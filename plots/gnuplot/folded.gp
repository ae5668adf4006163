# One record folded at a rate, by gnuplot alone: x, begin of each repetition modulo the period; y, its duration. What comes with
# the rate stands at one place; what does not is spread.
#
#   gnuplot -c folded.gp RECORD OUTPUT COLUMNS RATE_HZ [HOW]
#
# OUTPUT ends in .png, .pdf or .svg; "" draws in the terminal, COLUMNS wide. HOW goes into the title: where the rate is from.
# gnuplot 5.2 or later.

record = ARG1
output = ARG2
columns = int(real(ARG3))
rows = 30
height = 1
rate_hz = real(ARG4)
how = ARGC > 4 ? ", ".ARG5 : ""
here = ARG0
while (here ne "" && here[strlen(here):] ne "/") { here = here[1:strlen(here) - 1] }
load here."header.gp"
load here."terminal.gp"

period_ms = 1e3 / rate_hz
phase(counts) = ms(counts) - period_ms * floor(ms(counts) / period_ms)
set title fitted(sprintf("kernel %s on strand %s (core %s) of %s, %s, %s", kernel, strand, core, host, label, started))."\n". \
	fitted(sprintf("folded at %.10g Hz%s", rate_hz, how)) noenhanced
set xlabel sprintf("begin of the repetition modulo the period of %.6g ms, ms", period_ms)
set ylabel "duration, us"
set xrange [0:period_ms]
set yrange [low:top]
unset key
if (output eq "") {
	plot record skip 1 using (phase($1)):(us($2) <= top ? us($2) : NaN) with points pt "*", \
		record skip 1 using (phase($1)):(us($2) > top ? top : NaN) with points pt "^"
} else {
	if (D_max > top) {
		set label 1 sprintf("some above, up to %.0f us", D_max) at graph 1, 1.02 right tc rgb "#D55E00" noenhanced
	}
	plot record skip 1 using (phase($1)):(us($2) <= top ? us($2) : NaN) with points pt 7 ps 0.6 lc rgb "#0072B2", \
		record skip 1 using (phase($1)):(us($2) > top ? top : NaN) with points pt 9 ps 1 lc rgb "#D55E00"
}
