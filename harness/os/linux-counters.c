/* Linux: what the OS counted on a strand and for the calling thread. proc(5), getrusage(2). */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "harness/os/linux-files.h"
#include "harness/os/os.h"

/* The column of a strand in /proc/interrupts: its head names the strands that are online, "CPU0 CPU2 ...". -1: none. */
static int column_of(const char *head, unsigned strand)
{
	int column = 0;
	for (const char *at = strstr(head, "CPU"); at; at = strstr(at + 3, "CPU"), column++)
		if (strtoul(at + 3, NULL, 10) == strand)
			return column;
	return -1;
}

/* The count in a column of a line "NAME: n n n ... text". Lines that count for the whole machine (ERR, MIS) are shorter. */
static uint64_t count_in(const char *counts, int column)
{
	char *end;
	uint64_t value = 0;
	for (int i = 0; i <= column; i++, counts = end) {
		value = strtoull(counts, &end, 10);
		if (end == counts)
			return 0;
	}
	return value;
}

static enum os_counter counter_of(const char *name)
{
	static const struct {
		const char *name;
		enum os_counter counter;
	} known[] = {
		{"LOC", COUNTER_TIMER_INTERRUPTS}, /* x86, and most others */
		{"RES", COUNTER_RESCHEDULE_INTERRUPTS},
		{"CAL", COUNTER_FUNCTION_CALL_INTERRUPTS},
	};
	while (*name == ' ')
		name++;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strncmp(name, known[i].name, 3) && name[3] == ':')
			return known[i].counter;
	return COUNTER_OTHER_INTERRUPTS;
}

/* SPARC has no line of its own for a strand's timer: it is interrupt 0, by the name of "timer". On x86 that is another. */
static bool ends_in_timer(const char *line)
{
	static const char name[] = " timer\n";
	size_t length = strlen(line);
	return length > strlen(name) && !strcmp(line + length - strlen(name), name);
}

static void add_to(uint64_t *value, uint64_t count)
{
	*value = (*value == COUNTER_UNKNOWN ? 0 : *value) + count;
}

static void read_interrupts(unsigned strand, uint64_t values[COUNTER_COUNT])
{
	FILE *file = linux_open("/proc/interrupts");
	char *line = NULL;
	size_t size = 0;
	uint64_t named = COUNTER_UNKNOWN;
	if (!file)
		return;
	int column = getline(&line, &size, file) > 0 ? column_of(line, strand) : -1;
	while (column >= 0 && getline(&line, &size, file) > 0) {
		const char *counts = strchr(line, ':');
		enum os_counter counter = counter_of(line);
		bool is_named = counter == COUNTER_OTHER_INTERRUPTS && ends_in_timer(line);
		uint64_t *value = is_named ? &named : &values[counter];
		if (counts)
			add_to(value, count_in(counts + 1, column));
	}
	if (named != COUNTER_UNKNOWN) {
		bool has_own_line = values[COUNTER_TIMER_INTERRUPTS] != COUNTER_UNKNOWN;
		add_to(&values[has_own_line ? COUNTER_OTHER_INTERRUPTS : COUNTER_TIMER_INTERRUPTS], named);
	}
	free(line);
	fclose(file);
}

/* The line of /proc/stat that begins with "cpuN ": user nice system idle iowait irq softirq steal, in USER_HZ. */
static void read_steal(unsigned strand, uint64_t values[COUNTER_COUNT])
{
	FILE *file = linux_open("/proc/stat");
	char *line = NULL, name[32];
	size_t size = 0;
	unsigned long long steal;
	if (!file)
		return;
	snprintf(name, sizeof name, "cpu%u ", strand);
	while (getline(&line, &size, file) > 0) {
		if (strncmp(line, name, strlen(name)))
			continue;
		if (sscanf(line, "%*s %*u %*u %*u %*u %*u %*u %*u %llu", &steal) == 1)
			values[COUNTER_STEAL_MS] = steal * 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
		break;
	}
	free(line);
	fclose(file);
}

static void read_thread(uint64_t values[COUNTER_COUNT])
{
	struct rusage usage;
	if (getrusage(RUSAGE_THREAD, &usage))
		return;
	values[COUNTER_VOLUNTARY_SWITCHES] = (uint64_t)usage.ru_nvcsw;
	values[COUNTER_INVOLUNTARY_SWITCHES] = (uint64_t)usage.ru_nivcsw;
	values[COUNTER_MINOR_FAULTS] = (uint64_t)usage.ru_minflt;
	values[COUNTER_MAJOR_FAULTS] = (uint64_t)usage.ru_majflt;
}

void os_counters(unsigned strand, uint64_t values[COUNTER_COUNT])
{
	for (unsigned i = 0; i < COUNTER_COUNT; i++)
		values[i] = COUNTER_UNKNOWN;
	read_steal(strand, values);
	read_thread(values);
	read_interrupts(strand, values);
}
