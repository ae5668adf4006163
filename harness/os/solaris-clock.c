/* Solaris: which strand runs clock(), the OS tick. clock() is one cyclic of level 10, on one CPU at a time; what else runs at level 10 is
 * rare. So the strand whose count of level-10 interrupts keeps up with hz has it, and any user may see that. */
#include <errno.h>
#include <stdlib.h>
#include <sys/processor.h>
#include <unistd.h>
#include "harness/os/os.h"
#include "harness/os/solaris-kstat.h"
#include "harness/os/solaris-strands.h"

static const uint64_t WINDOW_NS = 200000000;

/* The counts of the CPUs, in the order of cpus; COUNTER_UNKNOWN for one without: off-line ones have no intrstat (cpu_offline() in illumos'
 * common/os/cpu.c). */
struct sample {
	const struct solaris_cpu *cpus;
	size_t count, seen;
	uint64_t *counts;
};

static void forget(void *context)
{
	struct sample *s = context;
	s->seen = 0;
	for (size_t i = 0; i < s->count; i++)
		s->counts[i] = COUNTER_UNKNOWN;
}

static int take(kstat_t *kstat, void *context)
{
	struct sample *s = context;
	uint64_t count;
	if (!solaris_kstat_number(kstat, "level-10-count", &count))
		return 0;
	for (size_t i = 0; i < s->count; i++)
		if (s->cpus[i].id == (unsigned)kstat->ks_instance) {
			s->counts[i] = count;
			s->seen++;
		}
	return 0;
}

static int sample(struct sample *s)
{
	struct solaris_kstats wanted = {"cpu", "intrstat", -1, forget, take, s};
	int error = solaris_kstat_read(&wanted);
	return error ? error : s->seen ? 0 : -ENOENT;
}

/* The one strand that had at least half of the ticks due; -ENOENT when there is none, or more. */
static int by_counts(const struct solaris_cpu *cpus, size_t count, unsigned *strand)
{
	long hz = sysconf(_SC_CLK_TCK);
	uint64_t *counts = calloc(2 * count, sizeof *counts);
	size_t hits = 0;
	if (!counts)
		return -ENOMEM;
	struct sample before = {cpus, count, 0, counts}, after = {cpus, count, 0, counts + count};
	int error = sample(&before);
	if (!error) {
		os_sleep_ns(WINDOW_NS);
		error = sample(&after);
	}
	uint64_t enough = (uint64_t)(hz > 0 ? hz : 100) * WINDOW_NS / 1000000000 / 2;
	for (size_t i = 0; i < count && !error; i++)
		if (before.counts[i] != COUNTER_UNKNOWN && after.counts[i] != COUNTER_UNKNOWN &&
		    after.counts[i] - before.counts[i] >= enough) {
			*strand = cpus[i].id;
			hits++;
		}
	free(counts);
	return error ? error : hits == 1 ? 0 : -ENOENT;
}

int solaris_clock_strand(unsigned *strand, bool *seen)
{
	struct solaris_cpu *cpus;
	size_t count;
	int error = solaris_cpus(&cpus, &count);
	if (error)
		return error;
	*seen = !by_counts(cpus, count, strand);
	error = *seen ? 0 : -ENOENT;
	for (size_t i = 0; i < count && error; i++)
		if (solaris_cpu_state(cpus[i].id) == P_ONLINE) { /* not P_NOINTR */
			*strand = cpus[i].id;
			error = 0;
		}
	free(cpus);
	return error;
}
