/* libkstat, serving the machine's file `kstat`: lines as `kstat -p` prints them, module:instance:name:statistic<TAB>value. Types are those
 * of illumos' common/os/cpu.c. Statistics that count go on counting. */
#include <errno.h>
#include <kstat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/ports/solaris/fake/fake.h"

enum { KSTATS_MOST = 2048, STATISTICS_MOST = 48 };

struct line {
	char module[KSTAT_STRLEN], name[KSTAT_STRLEN], statistic[KSTAT_STRLEN], value[96];
	int instance;
};

static struct line *lines;
static size_t line_count;
static int chain_id = 1;
static long changes_left = -1;
static int gone = -1; /* the CPU that vanished with a change */
static uint64_t asked_ns;

static void parse(void)
{
	char *file = fake_file("kstat"), *next;
	lines = calloc(KSTATS_MOST * 8, sizeof *lines);
	for (char *at = file; *at; at = next) {
		struct line *line = &lines[line_count];
		size_t length = strcspn(at, "\n");
		next = at + length + (at[length] == '\n');
		at[length] = 0;
		char *value = strchr(at, '\t'), *part = at;
		if (!value || line_count == KSTATS_MOST * 8)
			fake_die("kstat: a line is not module:instance:name:statistic<TAB>value");
		*value = 0;
		snprintf(line->value, sizeof line->value, "%s", value + 1);
		snprintf(line->module, sizeof line->module, "%.*s", (int)strcspn(part, ":"), part);
		part += strcspn(part, ":") + 1;
		line->instance = (int)strtoull(part, NULL, 10);
		part += strcspn(part, ":") + 1;
		snprintf(line->name, sizeof line->name, "%.*s", (int)strcspn(part, ":"), part);
		part += strcspn(part, ":") + 1;
		snprintf(line->statistic, sizeof line->statistic, "%s", part);
		line_count++;
	}
	free(file);
	changes_left = fake_number("chain_changes", 0);
}

static void load(void)
{
	fake_lock();
	if (!lines)
		parse();
	fake_unlock();
}

static int same_kstat(const struct line *a, const struct line *b)
{
	return a->instance == b->instance && !strcmp(a->module, b->module) && !strcmp(a->name, b->name);
}

int fake_cpu_exists(int cpu)
{
	load();
	for (size_t i = 0; i < line_count; i++)
		if (!strcmp(lines[i].module, "cpu_info") && lines[i].instance == cpu)
			return cpu != gone;
	return 0;
}

const char *fake_cpu_state(int cpu)
{
	load();
	for (size_t i = 0; i < line_count && cpu != gone; i++)
		if (!strcmp(lines[i].module, "cpu_info") && lines[i].instance == cpu &&
		    !strcmp(lines[i].statistic, "state"))
			return lines[i].value;
	return "";
}

static int is_one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(word, *words) != 0)
		words++;
	return *words != NULL;
}

/* clock() has its ticks since the program began, at level 14 and then at level 10; everything else counts its reads. All statistics are as
 * they were when the chain was last asked for, so that no tick comes between two that a test holds against each other. */
static uint64_t counted(const struct line *line, uint64_t reads)
{
	static uint64_t began_ns;
	uint64_t value = strtoull(line->value, NULL, 10), ticks = 0;
	if (!began_ns)
		began_ns = asked_ns;
	if (line->instance == fake_number("clock", 0))
		ticks = (asked_ns - began_ns) * (uint64_t)fake_number("hz", 100) / 1000000000;
	if (!strcmp(line->statistic, "level-10-count") || !strcmp(line->statistic, "level-14-count"))
		return value + ticks;
	return value + (!strcmp(line->statistic, "intr") ? 2 * ticks : reads);
}

static void fill(kstat_named_t *named, struct line *line, uint64_t reads)
{
	static const char *const letters[] = {"state", "cpu_type", "fpu_type", NULL};
	static const char *const strings[] = {"implementation", "brand",       "supported_frequencies_Hz",
					      "vendor_id",      "socket_type", NULL};
	static const char *const short_ones[] = {"family",        "model",          "stepping", "clog_id",
						 "ncpu_per_chip", "ncore_per_chip", NULL};
	strlcpy(named->name, line->statistic, sizeof named->name);
	if (is_one_of(line->statistic, letters)) {
		named->data_type = KSTAT_DATA_CHAR;
		memcpy(named->value.c, line->value, sizeof named->value.c); /* sixteen, with or without an end */
	} else if (is_one_of(line->statistic, strings)) {
		named->data_type = KSTAT_DATA_STRING;
		KSTAT_NAMED_STR_PTR(named) = line->value;
		named->value.str.len = (uint32_t)strlen(line->value) + 1;
	} else if (is_one_of(line->statistic, short_ones)) {
		named->data_type = KSTAT_DATA_INT32;
		named->value.i32 = (int32_t)strtoull(line->value, NULL, 10);
	} else if (!strcmp(line->module, "cpu_info")) {
		named->data_type = KSTAT_DATA_INT64; /* KSTAT_DATA_LONG, seen by a 64-bit program */
		named->value.i64 = (int64_t)strtoull(line->value, NULL, 10);
	} else {
		named->data_type = KSTAT_DATA_UINT64;
		named->value.ui64 = counted(line, reads);
	}
}

static void free_chain(kstat_ctl_t *control)
{
	for (kstat_t *kstat = control->kc_chain, *next; kstat; kstat = next) {
		next = kstat->ks_next;
		free(kstat->ks_data);
		memset(kstat, 0xdd, sizeof *kstat); /* whoever kept a pointer shall notice */
		free(kstat);
	}
	control->kc_chain = NULL;
}

kid_t kstat_chain_update(kstat_ctl_t *control)
{
	static long refusals = -1;
	kstat_t **end = &control->kc_chain;
	int busy = fake_fault("kstat_chain_update", "EAGAIN");
	asked_ns = fake_now_ns();
	refusals = refusals < 0 ? busy : refusals;
	if (refusals > 0) {
		refusals--;
		fake_fail(EAGAIN);
		return -1;
	}
	if (control->kc_chain_id == chain_id)
		return 0;
	free_chain(control);
	for (size_t i = 0; i < line_count; i++) {
		if ((i && same_kstat(&lines[i], &lines[i - 1])) || lines[i].instance == gone)
			continue;
		kstat_t *kstat = calloc(1, sizeof *kstat);
		kstat->ks_kid = (kid_t)i;
		kstat->ks_instance = lines[i].instance;
		kstat->ks_type = KSTAT_TYPE_NAMED;
		strlcpy(kstat->ks_module, lines[i].module, sizeof kstat->ks_module);
		strlcpy(kstat->ks_name, lines[i].name, sizeof kstat->ks_name);
		*end = kstat;
		end = &kstat->ks_next;
	}
	return control->kc_chain_id = chain_id;
}

kstat_ctl_t *kstat_open(void)
{
	int error = fake_fault("kstat_open", "-");
	load();
	fake_log("kstat_open");
	kstat_ctl_t *control = error ? NULL : calloc(1, sizeof *control);
	fake_fail(error);
	if (control && kstat_chain_update(control) == -1) {
		free(control);
		return NULL;
	}
	return control;
}

/* Every other change is of this kstat: gone, and back in the next chain. */
static kid_t change(void)
{
	chain_id++;
	changes_left -= changes_left > 0;
	gone = (int)fake_number("vanishes", -1);
	if (chain_id % 2)
		return chain_id;
	fake_fail(ENXIO);
	return -1;
}

kid_t kstat_read(kstat_ctl_t *control, kstat_t *kstat, void *data)
{
	static uint64_t reads;
	(void)control;
	if (data)
		fake_die("kstat_read() into a buffer of the caller's");
	if (changes_left) {
		kid_t id = change();
		if (id == -1)
			return id;
	}
	if (!kstat->ks_data)
		kstat->ks_data = calloc(STATISTICS_MOST, sizeof(kstat_named_t));
	kstat_named_t *named = kstat->ks_data;
	reads++;
	kstat->ks_ndata = 0;
	for (size_t i = (size_t)kstat->ks_kid; i < line_count && same_kstat(&lines[i], &lines[kstat->ks_kid]); i++) {
		if (kstat->ks_ndata == STATISTICS_MOST)
			fake_die("kstat: too many statistics of one name");
		fill(&named[kstat->ks_ndata++], &lines[i], reads);
	}
	return chain_id;
}

void *kstat_data_lookup(kstat_t *kstat, char *name)
{
	kstat_named_t *named = kstat->ks_data;
	for (uint_t i = 0; i < kstat->ks_ndata; i++)
		if (!strcmp(named[i].name, name))
			return &named[i];
	fake_fail(ENOENT);
	return NULL;
}
