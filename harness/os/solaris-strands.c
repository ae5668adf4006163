/* Solaris: strands, cores and chips from the kstats cpu_info, states from p_online(2), processor sets from pset_assign(2). */
#include "harness/os/solaris-strands.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/processor.h>
#include <sys/procset.h>
#include <unistd.h>
#include "harness/os/os.h"
#include "harness/os/solaris-kstat.h"

struct found {
	struct solaris_cpu *cpus;
	size_t count, size;
};

static void forget(void *context)
{
	((struct found *)context)->count = 0;
}

static int add(kstat_t *kstat, void *context)
{
	struct found *found = context;
	if (found->count == found->size) {
		size_t size = found->size ? 2 * found->size : 64;
		struct solaris_cpu *grown = realloc(found->cpus, size * sizeof *grown);
		if (!grown)
			return -ENOMEM;
		found->cpus = grown;
		found->size = size;
	}
	struct solaris_cpu *cpu = &found->cpus[found->count++];
	memset(cpu, 0, sizeof *cpu);
	cpu->id = (unsigned)kstat->ks_instance;
	cpu->has_chip = solaris_kstat_number(kstat, "chip_id", &cpu->chip);
	cpu->has_core = solaris_kstat_number(kstat, "core_id", &cpu->core);
	solaris_kstat_number(kstat, "clock_MHz", &cpu->clock_mhz);
	solaris_kstat_number(kstat, "current_clock_Hz", &cpu->clock_hz);
	solaris_kstat_text(kstat, "state", cpu->state, sizeof cpu->state);
	solaris_kstat_text(kstat, "brand", cpu->brand, sizeof cpu->brand);
	solaris_kstat_text(kstat, "implementation", cpu->implementation, sizeof cpu->implementation);
	return 0;
}

static int by_cpu(const void *a, const void *b)
{
	unsigned x = ((const struct solaris_cpu *)a)->id, y = ((const struct solaris_cpu *)b)->id;
	return (x > y) - (x < y);
}

int solaris_cpus(struct solaris_cpu **cpus, size_t *count)
{
	struct found found = {NULL, 0, 0};
	struct solaris_kstats wanted = {"cpu_info", NULL, -1, forget, add, &found};
	int error = solaris_kstat_read(&wanted);
	if (error) {
		free(found.cpus);
		return error;
	}
	qsort(found.cpus, found.count, sizeof *found.cpus, by_cpu);
	*cpus = found.cpus;
	*count = found.count;
	return 0;
}

/* Where no library tells, from the data sheets: OpenSPARC T1 and T2 Microarchitecture Specifications. */
static void caches_of(struct topology *t, const struct solaris_cpu *cpu)
{
	static const uint64_t KB = 1024;
	bool t1 = strstr(cpu->brand, "UltraSPARC-T1") || strstr(cpu->implementation, "UltraSPARC-T1");
	bool t2 = strstr(cpu->brand, "UltraSPARC-T2") || strstr(cpu->implementation, "UltraSPARC-T2");
	if (!t1 && !t2)
		return;
	t->l1i_bytes = 16 * KB;
	t->l1d_bytes = 8 * KB;
	t->l2_bytes = (t1 ? 3 : 4) * KB * KB;
}

static int fill(struct topology *t, const struct solaris_cpu *cpus, size_t count)
{
	bool cores_told = true;
	uint64_t *ids = calloc(2 * count, sizeof *ids);
	t->strands = calloc(count, sizeof *t->strands);
	if (!ids || !t->strands) {
		free(ids);
		return -ENOMEM;
	}
	t->count = count;
	for (size_t i = 0; i < count; i++)
		cores_told &= cpus[i].has_core;
	for (size_t i = 0; i < count; i++) {
		t->strands[i].id = cpus[i].id;
		ids[i] = cores_told ? cpus[i].core : i;
		ids[count + i] = cpus[i].has_chip ? cpus[i].chip : 0;
	}
	topology_number_cores(t, ids, ids + count);
	free(ids);
	caches_of(t, &cpus[0]);
	strlcpy(t->source, cores_told ? "solaris kstat cpu_info" : "solaris kstat cpu_info, which has no core_id here",
		sizeof t->source);
	return 0;
}

int os_topology(struct topology *t)
{
	struct solaris_cpu *cpus;
	size_t count;
	int error = solaris_cpus(&cpus, &count);
	if (error)
		return error;
	error = fill(t, cpus, count);
	free(cpus);
	return error;
}

int solaris_cpu_state(unsigned cpu)
{
	int state = p_online((processorid_t)cpu, P_STATUS);
	return state == -1 ? -errno : state;
}

bool solaris_takes_work(int state)
{
	return state == P_ONLINE || state == P_NOINTR;
}

psetid_t solaris_set_of(unsigned cpu)
{
	psetid_t set = PS_NONE;
	return pset_assign(PS_QUERY, (processorid_t)cpu, &set) ? PS_NONE : set;
}

psetid_t solaris_own_set(void)
{
	psetid_t set = PS_NONE;
	return pset_bind(PS_QUERY, P_LWPID, P_MYID, &set) ? PS_NONE : set;
}

/* The CPU the program was bound to when it was started (pbind -b); PBIND_NONE for none. */
static processorid_t bound_to(void)
{
	processorid_t cpu = PBIND_NONE;
	return processor_bind(P_LWPID, P_MYID, PBIND_QUERY, &cpu) ? PBIND_NONE : cpu;
}

/* In a processor set run only the threads that were put there, and those run nowhere else. */
static enum strand_state state_of(unsigned cpu, psetid_t own, processorid_t bound)
{
	if (!solaris_takes_work(solaris_cpu_state(cpu)))
		return STRAND_OFFLINE;
	if (solaris_set_of(cpu) != own)
		return STRAND_EXCLUDED;
	if (bound != PBIND_NONE && bound != (processorid_t)cpu)
		return STRAND_MASKED;
	return own == PS_NONE ? STRAND_USABLE : STRAND_ISOLATED;
}

/* CPUs that hwloc leaves out. */
static int add_missing(struct topology *t)
{
	struct solaris_cpu *cpus;
	size_t count, known = t->count;
	int error = solaris_cpus(&cpus, &count);
	if (error)
		return error;
	for (size_t i = 0; i < count && !error; i++) {
		size_t at = 0;
		while (at < known && t->strands[at].id != cpus[i].id)
			at++;
		if (at < known)
			continue;
		struct strand *grown = realloc(t->strands, (t->count + 1) * sizeof *grown);
		if (!grown) {
			error = -ENOMEM;
			break;
		}
		t->strands = grown;
		t->strands[t->count].id = cpus[i].id;
		t->strands[t->count].core = t->strands[t->count].package = STRAND_NOWHERE;
		t->count++;
	}
	free(cpus);
	return error;
}

static int by_id(const void *a, const void *b)
{
	unsigned x = ((const struct strand *)a)->id, y = ((const struct strand *)b)->id;
	return (x > y) - (x < y);
}

int os_strand_states(struct topology *t)
{
	psetid_t own = solaris_own_set();
	processorid_t bound = bound_to();
	int error = add_missing(t);
	for (size_t i = 0; i < t->count; i++)
		t->strands[i].state =
			t->strands[i].core == STRAND_NOWHERE ? STRAND_OFFLINE : state_of(t->strands[i].id, own, bound);
	qsort(t->strands, t->count, sizeof *t->strands, by_id);
	return error;
}
