/* The commands there are. */
#include "harness/command.h"
#include <errno.h>
#include <stdio.h>

const struct command commands[] = {
	{"sweep", ON_SWEEP, command_sweep, "measure chosen strands and kernels into a run folder",
	 "Measures every chosen kernel on every chosen strand and writes a run folder: one record each, and run.json with "
	 "everything needed to read them later. Prints the folder's name.\nRecords that are complete stay when the sweep is "
	 "broken off.",
	 "cmtnoise sweep\n"
	 "cmtnoise sweep --strands first --kernels all -o results/one-per-core\n"
	 "cmtnoise sweep --reps 10000 --kernels add --realtime\n"
	 "# the plan for an UltraSPARC T1, on any machine\n"
	 "cmtnoise sweep --dry-run --topology \"pack:1 core:8 pu:4\" --strands core:0,core:1"},
	{"run", ON_RUN, command_run, "measure one record",
	 "Measures one kernel on one strand and writes one record, to standard output unless told otherwise.",
	 "cmtnoise run --strand 0 --kernel add --reps 1000 -o -\n"
	 "cmtnoise run -s 1 -k load_l2 -o l2.tsv && cmtnoise plot l2.tsv"},
	{"inject", ON_INJECT, command_inject, "steal known slices of a strand: known noise, to test an analysis with",
	 "A real-time thread bound to one strand spins for a slice at every period, and writes a log: when each slice began and "
	 "how long it took, in the counts that a record of the same time is stamped with. The log is what truly happened; a slot "
	 "that the strand could not be had for in time is missed and counted.\nWhat is measured on the strand meanwhile must not "
	 "be real-time itself. A log is also written when the injection is broken off.",
	 "cmtnoise inject --strand 1 --period 10ms --slice 30us --duration 5s -o injected.tsv &\n"
	 "sleep 1; cmtnoise run --strand 1 --reps 30000 -o record.tsv; wait"},
	{"doctor", ON_DOCTOR, command_doctor, "say what would disturb or limit a measurement here, and how to mend it",
	 "Looks at everything on this host that would disturb or limit a measurement on the chosen strands, and names the "
	 "command or boot parameter that mends it. Changes nothing. Exit 1 when a measurement cannot be made.",
	 "cmtnoise doctor\ncmtnoise doctor --strands 2-3 --json\n"
	 "# what would take the OS tick off strands 2 and 3\ncmtnoise doctor --quiet-strands 2-3"},
	{"kernels", ON_KERNELS, command_kernels, "list the kernels",
	 "Lists the kernels: instruction type, the resource pressed on, who shares it (pipeline: the strands of a core's "
	 "pipeline, core, chip), instructions of the type in one turn of the loop, and whether this CPU can run it.",
	 "cmtnoise kernels\ncmtnoise kernels --json"},
	{"topology", ON_TOPOLOGY, command_topology, "list the strands, where they sit, and which may be used",
	 "Lists packages, cores and strands, whether each strand may be used and why not, and the caches.",
	 "cmtnoise topology\ncmtnoise topology --topology \"pack:1 core:8 pu:4\" --strands siblings:5"},
};

const size_t command_count = sizeof commands / sizeof *commands;

const struct program programs[] = {
	{"plot", "draw the figures of a run, or records with gnuplot"},
	{"report", "why each strand is noisy: a table, Markdown, JSON, CSV, or a page"},
	{"compare", "hold runs against each other, with intervals; a gate for scripts"},
	{"export", "write a run for the Perfetto viewer"},
	{"domain", "run a sweep in a place other than this host: a runtime with no OS, on an emulated machine"},
	{"lab", "hold an OS's tick configurations against each other, each booted in a domain"},
	{"study", "hold the statements of the study of the T1 against runs: verdicts, figures, a page"},
	{"synth", "write a run whose noise is known"},
};

const size_t program_count = sizeof programs / sizeof *programs;

char **program_arguments;

int command_failed(int error, const char *sentence)
{
	fprintf(stderr, "cmtnoise: %s\n", sentence);
	return error == -EINVAL || error == -ENODEV ? 2 : 1;
}
