/* What the runtime tells before the first record: the build, the machine, the plan. */
#include "domains/bare/facts.h"
#include <string.h>
#include "asm/isa.h"
#include "domains/bare/thread.h"
#include "harness/kernels.h"
#include "harness/version.h"

static void tell(const char *key, const char *value)
{
	console_line("@%s: %s", key, value);
}

static void tell_u64(const char *key, uint64_t value)
{
	console_line("@%s: %llu", key, (unsigned long long)value);
}

static void tell_known(const char *key, uint64_t value)
{
	if (value)
		tell_u64(key, value);
	else
		tell(key, "");
}

static void tell_build(void)
{
	tell("tool", "cmtnoise " CMTNOISE_VERSION);
	tell("commit", build_commit);
	tell("compiler", build_compiler);
	tell("cflags", build_cflags);
	tell("isa", isa_name);
	tell("host", bare_config.host);
	tell_u64("repetitions", bare_config.repetitions);
	tell_u64("quantum_ns", bare_config.quantum_ns);
	tell_u64("iterations", bare_config.iterations);
	tell("order", bare_config.together ? "together" : "turns");
	tell_u64("tick_hz", bare_config.tick_hz);
	tell_u64("tick_path", bare_config.tick_path);
}

static void tell_machine(const struct machine *m)
{
	tell("machine", machine_name);
	tell("entered", m->entered);
	tell("cpu", m->cpu);
	tell("hypervisor", m->hypervisor);
	tell("label", bare_label());
	tell_u64("memory_bytes", m->memory_bytes);
	tell("timer", isa_timer_name);
	tell_u64("timer_hz", m->timer_hz);
	tell("timer_hz_from", m->timer_hz_source);
	tell_known("l1i_bytes", m->l1i_bytes);
	tell_known("l1d_bytes", m->l1d_bytes);
	tell_known("l2_bytes", m->l2_bytes);
	tell_known("l3_bytes", m->l3_bytes);
}

static bool in_the_map(const char *kernel)
{
	for (size_t i = 0; i < bare_thread_count; i++)
		for (size_t k = 0; k < bare_threads[i].kernel_count; k++)
			if (!strcmp(bare_threads[i].kernels[k], kernel))
				return true;
	return false;
}

/* Between tabs, as the words hold blanks. */
static void tell_kernel(const struct kernel *k)
{
	const char *const parts[] = {"@kernel: ", k->name,    "\t", k->instruction, "\t", k->resource,
				     "\t",        k->sharing, "\t"};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		text_string(&console, parts[i]);
	text_u64(&console, k->ops_per_iteration);
	text_string(&console, "\n");
	console_flush();
}

static void tell_kernels(void)
{
	char feature[32];
	for (size_t i = 0; i < kernel_registry_count; i++) {
		const struct kernel *k = &kernel_registry[i];
		if (!in_the_map(k->name))
			continue;
		if (kernel_lacks(k, feature, sizeof feature))
			console_line("@skipped: %s this CPU has no %s", k->name, feature);
		else
			tell_kernel(k);
	}
}

static void tell_threads(void)
{
	unsigned core, package;
	for (size_t i = 0; i < bare_thread_count; i++) {
		const struct bare_thread *t = &bare_threads[i];
		machine_place(t->strand, &core, &package);
		console_line("@strand: %u %u %u", t->strand, core, package);
		text_string(&console, "@thread: ");
		text_u64(&console, t->strand);
		for (size_t k = 0; k < t->kernel_count; k++) {
			if (bare_skips(t->kernels[k]))
				continue;
			text_string(&console, " ");
			text_string(&console, t->kernels[k]);
		}
		text_string(&console, "\n");
		console_flush();
	}
}

void bare_tell_facts(const struct timer_facts *timer)
{
	tell_build();
	tell_machine(&bare_machine);
	tell_u64("timer_step_counts", timer->step_counts);
	tell_u64("timer_cost_counts", timer->cost_counts);
	tell_kernels();
	tell_threads();
}
