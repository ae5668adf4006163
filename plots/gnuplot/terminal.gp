# Loaded by the scripts beside it: draws into the file `output` (.png, .pdf, .svg), or with "" in the terminal, `columns` wide and
# `rows` high. A file is `height` times as high as the figure of one record.

if (output[1:1] eq "|") {
	print "name an output, with its folder"
	exit status 2
}
# A title that is wider than the figure would push the plot aside, in the terminal out of it.
title_length = output eq "" ? columns - 12 : 105
fitted(title) = strlen(title) > title_length ? title[1:title_length - 3]."..." : title
if (output eq "") {
	set terminal dumb size columns, rows noenhanced
} else {
	ending = output[strlen(output) - 2:]
	if (ending eq "pdf") { set terminal pdfcairo noenhanced size 7.1, 3.55 * height font ",9" }
	if (ending eq "svg") { set terminal svg noenhanced size 900, 450 * height dynamic background "white" }
	if (ending eq "png") { set terminal pngcairo noenhanced size 1350, 675 * height fontscale 1.3 }
	set output output
}
set tics out nomirror
set border 3
if (output ne "") { set grid lt 1 lc rgb "#dddddd" }
