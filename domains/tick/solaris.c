/* Solaris: the tick configuration, from what any user may read. What has no counterpart here stays unknown. */
#include <stdlib.h>
#include <string.h>
#include <sys/processor.h>
#include <unistd.h>
#include "bind/strand_list.h"
#include "domains/tick/tick.h"
#include "harness/os/solaris-strands.h"

static bool takes_interrupts(unsigned cpu)
{
	return solaris_cpu_state(cpu) == P_ONLINE; /* not P_NOINTR */
}

static bool is_in_set(unsigned cpu)
{
	return solaris_takes_work(solaris_cpu_state(cpu)) && solaris_set_of(cpu) != PS_NONE;
}

static void list_where(const struct solaris_cpu *cpus, size_t count, bool (*test)(unsigned cpu), char *list,
		       size_t size)
{
	unsigned *ids = calloc(count + 1, sizeof *ids);
	size_t listed = 0;
	for (size_t i = 0; ids && i < count; i++)
		if (test(cpus[i].id))
			ids[listed++] = cpus[i].id;
	if (listed)
		strand_list_format(list, size, ids, listed);
	free(ids);
}

/* sysconf(_SC_CLK_TCK) is the OS kernel's own hz. clock() runs on one strand at a time, busy or not. */
void tick_read(struct tick_configuration *tick)
{
	struct solaris_cpu *cpus;
	size_t count;
	long hz = sysconf(_SC_CLK_TCK);
	memset(tick, 0, sizeof *tick);
	tick->hz = hz > 0 ? (unsigned)hz : 0;
	strlcpy(tick->mode, "periodic, one strand", sizeof tick->mode);
	if (solaris_cpus(&cpus, &count))
		return;
	list_where(cpus, count, takes_interrupts, tick->irq_affinity, sizeof tick->irq_affinity);
	list_where(cpus, count, is_in_set, tick->isolated, sizeof tick->isolated);
	free(cpus);
}
