/* Linux: the strands there are, from sysfs, and which of them this program may use. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bind/strand_list.h"
#include "bind/topology.h"
#include "harness/os/linux-affinity.h"
#include "harness/os/linux-files.h"
#include "harness/os/os.h"

/* Longest list: every other strand of a very large machine. */
enum { LIST_SIZE = 32768 };

static uint64_t strand_value(unsigned strand, const char *file, uint64_t missing)
{
	char path[256], text[64];
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/%s", strand, file);
	return linux_read(path, text, sizeof text) > 0 ? strtoull(text, NULL, 10) : missing;
}

static int append(unsigned id, void *context)
{
	struct topology *t = context;
	struct strand *grown = realloc(t->strands, (t->count + 1) * sizeof *grown);
	if (!grown)
		return -ENOMEM;
	t->strands = grown;
	t->strands[t->count++] = (struct strand){.id = id};
	return 0;
}

/* "48K", "1M" or plain bytes. */
static uint64_t cache_bytes(unsigned strand, unsigned index)
{
	char path[128], text[32], *unit;
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cache/index%u/size", strand, index);
	if (linux_read(path, text, sizeof text) <= 0)
		return 0;
	uint64_t size = strtoull(text, &unit, 10);
	return *unit == 'K' ? size << 10 : *unit == 'M' ? size << 20 : size;
}

static void read_caches(struct topology *t, unsigned strand)
{
	for (unsigned index = 0; index < 8; index++) {
		char path[128], type[32];
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cache/index%u/type", strand, index);
		if (linux_read(path, type, sizeof type) <= 0)
			return;
		snprintf(path, sizeof path, "cache/index%u/level", index);
		uint64_t level = strand_value(strand, path, 0), bytes = cache_bytes(strand, index);
		if (level == 1 && !strcmp(type, "Instruction"))
			t->l1i_bytes = bytes;
		else if (level == 1)
			t->l1d_bytes = bytes;
		else if (level == 2)
			t->l2_bytes = bytes;
		else if (level == 3)
			t->l3_bytes = bytes;
	}
}

/* Linux on SPARC writes them beside each other, in bytes (arch/sparc/kernel/sysfs.c). */
static void read_caches_of_sparc(struct topology *t, unsigned strand)
{
	t->l1i_bytes = strand_value(strand, "l1_icache_size", t->l1i_bytes);
	t->l1d_bytes = strand_value(strand, "l1_dcache_size", t->l1d_bytes);
	t->l2_bytes = strand_value(strand, "l2_cache_size", t->l2_bytes);
}

int os_topology(struct topology *t)
{
	char online[LIST_SIZE];
	if (linux_read("/sys/devices/system/cpu/online", online, sizeof online) <= 0)
		return -ENOENT;
	int error = strand_list_parse(online, append, t);
	uint64_t *ids = calloc(2 * t->count, sizeof *ids);
	if (error || !ids || !t->count) {
		free(ids);
		return error ? error : -ENOMEM;
	}
	for (size_t i = 0; i < t->count; i++) {
		ids[i] = strand_value(t->strands[i].id, "topology/core_id", i);
		ids[t->count + i] = strand_value(t->strands[i].id, "topology/physical_package_id", 0);
	}
	topology_number_cores(t, ids, ids + t->count);
	read_caches(t, t->strands[0].id);
	read_caches_of_sparc(t, t->strands[0].id);
	snprintf(t->source, sizeof t->source, "linux sysfs");
	free(ids);
	return 0;
}

static struct strand *find(struct topology *t, unsigned id)
{
	return (struct strand *)topology_strand(t, id);
}

static int set_isolated(unsigned id, void *context)
{
	struct strand *strand = find(context, id);
	if (strand && strand_can_run(strand->state))
		strand->state = STRAND_ISOLATED;
	return 0;
}

/* The scheduler leaves isolated strands out of every mask, so their absence says nothing. Where other strands are absent too,
 * the user chose the mask, and it holds for the isolated ones as well. */
static void isolated_states(struct topology *t, const char *isolated)
{
	size_t masked = 0, masked_isolated = 0;
	enum strand_state *before = malloc(t->count * sizeof *before);
	if (!before)
		return;
	for (size_t i = 0; i < t->count; i++) {
		before[i] = t->strands[i].state;
		masked += before[i] == STRAND_MASKED;
	}
	strand_list_parse(isolated, set_isolated, t);
	for (size_t i = 0; i < t->count; i++)
		masked_isolated += before[i] == STRAND_MASKED && t->strands[i].state == STRAND_ISOLATED;
	for (size_t i = 0; i < t->count && masked_isolated < masked; i++)
		if (before[i] == STRAND_MASKED)
			t->strands[i].state = STRAND_MASKED;
	free(before);
}

static int add_offline(unsigned id, void *context)
{
	struct topology *t = context;
	size_t at = 0;
	while (at < t->count && t->strands[at].id != id)
		at++;
	int error = at < t->count ? 0 : append(id, t);
	if (!error)
		t->strands[at] = (struct strand){
			.id = id, .core = STRAND_NOWHERE, .package = STRAND_NOWHERE, .state = STRAND_OFFLINE};
	return error;
}

static int by_id(const void *a, const void *b)
{
	unsigned x = ((const struct strand *)a)->id, y = ((const struct strand *)b)->id;
	return (x > y) - (x < y);
}

/* A strand outside the affinity mask was left out by taskset, by isolcpus (whose strands are in nobody's mask), or is out of
 * reach: only trying to bind to it tells a cpuset from a mask. */
static int usable_states(struct topology *t)
{
	size_t size;
	cpu_set_t *started_with = linux_affinity(&size);
	if (!started_with)
		return -errno;
	for (size_t i = 0; i < t->count; i++) {
		struct strand *strand = &t->strands[i];
		if (strand->id < size * 8 && CPU_ISSET_S(strand->id, size, started_with)) {
			strand->state = STRAND_USABLE;
			continue;
		}
		size_t single_size;
		cpu_set_t *single = linux_single_strand(strand->id, &single_size);
		bool bound = single && !sched_setaffinity(0, single_size, single);
		strand->state = bound ? STRAND_MASKED : STRAND_EXCLUDED;
		CPU_FREE(single);
	}
	int error = sched_setaffinity(0, size, started_with) ? -errno : 0;
	CPU_FREE(started_with);
	return error;
}

int os_strand_states(struct topology *t)
{
	char list[LIST_SIZE];
	int error = usable_states(t);
	if (!error && linux_read("/sys/devices/system/cpu/isolated", list, sizeof list) > 0)
		isolated_states(t, list);
	if (!error && linux_read("/sys/devices/system/cpu/offline", list, sizeof list) > 0)
		error = strand_list_parse(list, add_offline, t);
	qsort(t->strands, t->count, sizeof *t->strands, by_id);
	return error;
}
