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

static void read_interrupts(unsigned strand, uint64_t values[COUNTER_COUNT])
{
	FILE *file = linux_open("/proc/interrupts");
	char *line = NULL;
	size_t size = 0;
	if (!file)
		return;
	int column = getline(&line, &size, file) > 0 ? column_of(line, strand) : -1;
	while (column >= 0 && getline(&line, &size, file) > 0) {
		const char *counts = strchr(line, ':');
		uint64_t *value = &values[counter_of(line)];
		if (counts)
			*value = (*value == COUNTER_UNKNOWN ? 0 : *value) + count_in(counts + 1, column);
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
