/* CPUs, bindings, processor sets and scheduling classes. */
#include <errno.h>
#include <procfs.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/fxpriocntl.h>
#include <sys/lwp.h>
#include <sys/priocntl.h>
#include <sys/processor.h>
#include <sys/pset.h>
#include <sys/rtpriocntl.h>
#include "tests/ports/solaris/fake/fake.h"

enum { CPUS_MOST = 1024, UNSET = -3 };

static unsigned binds[CPUS_MOST], queries[CPUS_MOST];
static __thread int bound = UNSET;
static __thread int class = 1; /* TS */
static __thread lwpid_t number;

lwpid_t _lwp_self(void)
{
	static lwpid_t last;
	fake_lock();
	if (!number)
		number = ++last;
	fake_unlock();
	return number;
}

static int fail(int error)
{
	fake_fail(error);
	return -1;
}

static int goes_offline(int cpu)
{
	long after = fake_of_cpu("goes_offline", cpu, -1);
	return after >= 0 && binds[cpu] > (unsigned)after;
}

int p_online(processorid_t cpu, int flag)
{
	static const struct {
		const char *name;
		int state;
	} states[] = {{"on-line", P_ONLINE},  {"off-line", P_OFFLINE},     {"no-intr", P_NOINTR},
		      {"faulted", P_FAULTED}, {"powered-off", P_POWEROFF}, {"spare", P_SPARE}};
	if (flag != P_STATUS || cpu < 0 || cpu >= CPUS_MOST || !fake_cpu_exists(cpu))
		return fail(EINVAL);
	if (goes_offline(cpu))
		return P_OFFLINE;
	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		if (!strcmp(fake_cpu_state(cpu), states[i].name))
			return states[i].state;
	return P_ONLINE; /* a release whose kstat has no state */
}

static psetid_t set_of(int cpu)
{
	return (psetid_t)fake_of_cpu("set", cpu, PS_NONE);
}

static psetid_t own_set(void)
{
	return (psetid_t)fake_number("own_set", PS_NONE);
}

int pset_assign(psetid_t set, processorid_t cpu, psetid_t *before)
{
	if (set != PS_QUERY || !fake_cpu_exists(cpu))
		return fail(EINVAL);
	*before = set_of(cpu);
	return 0;
}

int pset_bind(psetid_t set, idtype_t type, id_t id, psetid_t *before)
{
	if (set != PS_QUERY || type != P_LWPID || id != P_MYID)
		return fail(EINVAL);
	*before = own_set();
	return 0;
}

static processorid_t binding(void)
{
	int cpu = bound == UNSET ? (int)fake_number("bound", PBIND_NONE) : bound;
	if (cpu >= 0 && fake_of_cpu("unbinds", cpu, -1) >= 0 &&
	    ++queries[cpu] > (unsigned)fake_of_cpu("unbinds", cpu, -1))
		return PBIND_NONE;
	return cpu;
}

static int bind_to(processorid_t cpu)
{
	char what[16];
	snprintf(what, sizeof what, "%d", cpu);
	int error = fake_fault("processor_bind", what);
	if (error)
		return error;
	fake_lock();
	if (cpu >= 0 && cpu < CPUS_MOST)
		binds[cpu]++;
	fake_unlock();
	int state = p_online(cpu, P_STATUS);
	if ((state != P_ONLINE && state != P_NOINTR) || set_of(cpu) != own_set())
		return EINVAL;
	bound = cpu;
	return 0;
}

int processor_bind(idtype_t type, id_t id, processorid_t cpu, processorid_t *before)
{
	char line[96];
	if (type != P_LWPID || id != P_MYID)
		return fail(EINVAL);
	if (cpu == PBIND_QUERY) {
		*before = binding();
		return 0;
	}
	int error = bind_to(cpu);
	snprintf(line, sizeof line, "processor_bind P_LWPID P_MYID %d: %d", cpu, error);
	fake_log(line);
	return error ? fail(error) : 0;
}

processorid_t getcpuid(void)
{
	return bound >= 0 ? bound : 0;
}

/* What a class makes of its part of the parameters. */
static int check_class(const pcparms_t *p)
{
	const rtparms_t *rt = (const rtparms_t *)p->pc_clparms;
	const fxparms_t *fx = (const fxparms_t *)p->pc_clparms;
	if (p->pc_cid == 4)
		return rt->rt_pri < 0 || rt->rt_pri > 59 || rt->rt_tqnsecs != RT_TQINF ? EINVAL
										       : fake_fault("priocntl", "RT");
	if (p->pc_cid == 5)
		return fx->fx_upri > fx->fx_uprilim || fx->fx_uprilim > 60 || fx->fx_tqnsecs != FX_TQINF
			       ? EINVAL
			       : fake_fault("priocntl", "FX");
	return EINVAL;
}

static int set_class(const pcparms_t *p)
{
	char line[96];
	int error = check_class(p);
	snprintf(line, sizeof line, "priocntl PC_SETPARMS class %d priority %d: %d", (int)p->pc_cid,
		 (int)*(const pri_t *)p->pc_clparms, error);
	fake_log(line);
	if (error)
		return fail(error);
	class = p->pc_cid;
	return 0;
}

static long class_id(pcinfo_t *info)
{
	static const char *const names[] = {"SYS", "TS", "IA", "FSS", "RT", "FX"};
	for (int i = 0; i < 6; i++)
		if (!strcmp(info->pc_clname, names[i])) {
			info->pc_cid = i;
			return 6;
		}
	return fail(EINVAL);
}

long priocntl(idtype_t type, id_t id, int command, ...)
{
	va_list arguments;
	va_start(arguments, command);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	if (command == PC_GETCID)
		return class_id(argument);
	if (type != P_LWPID || id != P_MYID)
		return fail(EINVAL);
	if (command == PC_SETPARMS)
		return set_class(argument);
	if (command != PC_GETPARMS || ((pcparms_t *)argument)->pc_cid != PC_CLNULL)
		return fail(EINVAL);
	((pcparms_t *)argument)->pc_cid = class;
	return number ? (long)number : 1;
}

/* Advice, and no more: refused for pages that a machine has not. */
int memcntl(char *memory, size_t size, int command, char *argument, int attributes, int mask);
int memcntl(char *memory, size_t size, int command, char *argument, int attributes, int mask)
{
	(void)memory, (void)size, (void)argument;
	return command != 7 || attributes || mask ? fail(EINVAL) : 0;
}

size_t fake_usage(void *bytes, size_t size)
{
	static uint64_t calls;
	prusage_t usage;
	memset(&usage, 0, sizeof usage);
	usage.pr_lwpid = (id_t)_lwp_self();
	usage.pr_vctx = ++calls;
	usage.pr_ictx = 2 * calls;
	usage.pr_minf = 3 * calls;
	usage.pr_majf = 4 * calls;
	if (size < sizeof usage)
		fake_die("no room for a prusage_t");
	memcpy(bytes, &usage, sizeof usage);
	return sizeof usage;
}
