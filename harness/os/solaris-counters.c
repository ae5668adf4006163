/* Solaris: what the OS counted on a strand, from the kstats cpu:N:sys and cpu:N:intrstat, and for the calling thread, from proc(4). */
#include <fcntl.h>
#include <procfs.h>
#include <sys/lwp.h>
#include <unistd.h>
#include "harness/os/os.h"
#include "harness/os/solaris-kstat.h"
#include "harness/text.h"

struct counts {
	uint64_t *values;
	uint64_t interrupts, at_level_14;
};

static void forget(void *context)
{
	struct counts *c = context;
	c->interrupts = c->at_level_14 = COUNTER_UNKNOWN;
}

/* The cyclic subsystem's interrupts, of which clock() is one user, come at level 14 on both processors (CBE_HIGH_PIL in
 * sys/clock.h); level 10, at which clock() itself then runs, is a soft interrupt that they post. */
static int read_one(kstat_t *kstat, void *context)
{
	struct counts *c = context;
	solaris_kstat_number(kstat, "intr", &c->interrupts);
	solaris_kstat_number(kstat, "level-14-count", &c->at_level_14);
	solaris_kstat_number(kstat, "pswitch", &c->values[COUNTER_STRAND_SWITCHES]);
	solaris_kstat_number(kstat, "inv_swtch", &c->values[COUNTER_STRAND_INVOLUNTARY_SWITCHES]);
	solaris_kstat_number(kstat, "syscall", &c->values[COUNTER_STRAND_SYSTEM_CALLS]);
	solaris_kstat_number(kstat, "xcalls", &c->values[COUNTER_STRAND_CROSS_CALLS]);
	return 0;
}

static void read_strand(unsigned strand, uint64_t *values)
{
	struct counts c = {values, COUNTER_UNKNOWN, COUNTER_UNKNOWN};
	/* All of module cpu for this instance: sys, vm and intrstat; names that one has not are in another. */
	struct solaris_kstats wanted = {"cpu", NULL, (int)strand, forget, read_one, &c};
	if (solaris_kstat_read(&wanted))
		return;
	values[COUNTER_STRAND_INTERRUPTS] = c.interrupts;
	values[COUNTER_TIMER_INTERRUPTS] = c.at_level_14;
	if (c.interrupts != COUNTER_UNKNOWN && c.at_level_14 <= c.interrupts)
		values[COUNTER_OTHER_INTERRUPTS] = c.interrupts - c.at_level_14;
}

static void read_thread(uint64_t *values)
{
	char path[64];
	prusage_t usage;
	struct text t;
	text_init(&t, path, sizeof path, NULL, NULL);
	text_string(&t, "/proc/self/lwp/");
	text_u64(&t, (uint64_t)_lwp_self());
	text_string(&t, "/lwpusage");
	text_bytes(&t, "", 1);
	int descriptor = open(path, O_RDONLY);
	if (descriptor < 0)
		return;
	if (read(descriptor, &usage, sizeof usage) == (ssize_t)sizeof usage) {
		values[COUNTER_VOLUNTARY_SWITCHES] = usage.pr_vctx;
		values[COUNTER_INVOLUNTARY_SWITCHES] = usage.pr_ictx;
		values[COUNTER_MINOR_FAULTS] = usage.pr_minf;
		values[COUNTER_MAJOR_FAULTS] = usage.pr_majf;
	}
	close(descriptor);
}

void os_counters(unsigned strand, uint64_t values[COUNTER_COUNT])
{
	for (unsigned i = 0; i < COUNTER_COUNT; i++)
		values[i] = COUNTER_UNKNOWN;
	read_thread(values);
	read_strand(strand, values);
}
