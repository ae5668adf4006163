/* The lines of the machine's file. One is a key and its values, separated by blanks:
 *
 *	release 5.10, version TEXT, machine sun4v, nodename TEXT, hz 100, memory_mb 4096, zone 0, load 0.1, isax 0xe0
 *	clock CPU                   where clock() runs
 *	set CPU SET, own_set SET    processor sets; the set that the program is in
 *	bound CPU                   the program was started bound (pbind -b)
 *	goes_offline CPU BINDS      it takes so many bindings and goes off-line at the next
 *	unbinds CPU QUERIES         a thread bound there loses its binding after so many PBIND_QUERY
 *	chain_changes READS         the kstat chain changes under so many reads
 *	vanishes CPU                and this CPU's kstats are gone then
 *	fault CALL WHAT ERRNO       processor_bind CPU, priocntl CLASS, mlock, kstat_open, kstat_chain_update TIMES
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zone.h>
#include "tests/ports/solaris/fake/fake.h"
#include "tests/ports/solaris/fake/solaris.h"

/* The next line that begins with the words; what follows them, cut at its end. */
static const char *line_with(const char *words, char *value, size_t size)
{
	static char *file;
	size_t length = strlen(words);
	fake_lock();
	if (!file)
		file = fake_file("machine");
	fake_unlock();
	for (const char *at = file; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		if (strncmp(at, words, length) || at[length] != ' ')
			continue;
		at += length + 1;
		size_t found = strcspn(at, "\n");
		snprintf(value, size, "%.*s", (int)found, at);
		return value;
	}
	return NULL;
}

const char *fake_text(const char *key, const char *missing)
{
	static char values[16][128];
	static unsigned next;
	char *value = values[next++ % 16];
	return line_with(key, value, sizeof values[0]) ? value : missing;
}

static long number_of(const char *text)
{
	return text[0] == '-' ? -(long)strtoull(text + 1, NULL, 0) : (long)strtoull(text, NULL, 0);
}

long fake_number(const char *key, long missing)
{
	char value[128];
	return line_with(key, value, sizeof value) ? number_of(value) : missing;
}

long fake_of_cpu(const char *key, int cpu, long missing)
{
	char words[64];
	snprintf(words, sizeof words, "%s %d", key, cpu);
	return fake_number(words, missing);
}

int fake_fault(const char *call, const char *what)
{
	char words[96];
	snprintf(words, sizeof words, "fault %s%s%s", call, *what ? " " : "", what);
	return (int)fake_number(words, 0);
}

long solaris_sysconf(int name)
{
	switch (name) {
	case _SC_CLK_TCK:
		return fake_number("hz", 100);
	case _SC_PAGESIZE:
		return 8192;
	case _SC_PHYS_PAGES:
		return fake_number("memory_mb", 4096) * (1048576 / 8192);
	default:
		fake_fail(EINVAL);
		return -1;
	}
}

int solaris_uname(struct utsname *name)
{
	snprintf(name->sysname, sizeof name->sysname, "SunOS");
	snprintf(name->nodename, sizeof name->nodename, "%s", fake_text("nodename", "fake"));
	snprintf(name->release, sizeof name->release, "%s", fake_text("release", "5.10"));
	snprintf(name->version, sizeof name->version, "%s", fake_text("version", "Generic"));
	snprintf(name->machine, sizeof name->machine, "%s", fake_text("machine", "sun4v"));
	return 1; /* not negative, and not 0 */
}

zoneid_t getzoneid(void)
{
	return (zoneid_t)fake_number("zone", 0);
}

uint_t getisax(uint32_t *words, uint_t count)
{
	if (count > 0)
		words[0] = (uint32_t)fake_number("isax", 0);
	return 1;
}

/* In hundredths in the file. */
int solaris_getloadavg(double load[], int count)
{
	if (count > 0)
		load[0] = (double)fake_number("load", 10) / 100;
	return count > 0;
}
