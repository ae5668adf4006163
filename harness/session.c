#include "harness/session.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "asm/isa.h"
#include "harness/binding.h"
#include "harness/kernels.h"
#include "harness/os/os.h"
#include "harness/provenance.h"

enum { REPEAT_MOST = 10000 };

/* One kernel a resource; enough to see the strand, the core and the chip, and done within a second a strand. */
static const char default_kernels[] = "nop,add,mul,fadd,branch_taken,load_l1,load_l2,load_mem";

static int unknown_kernel(const char *name, size_t length, struct why *why)
{
	char names[400] = "";
	for (size_t i = 0; i < kernel_registry_count; i++)
		snprintf(names + strlen(names), sizeof names - strlen(names), " %s", kernel_registry[i].name);
	return why_set(why, -EINVAL, "there is no kernel '%.*s'; kernels are%s", (int)(length < 40 ? length : 40), name,
		       names);
}

static void add_kernel(struct session *s, const struct kernel *kernel)
{
	char feature[32];
	for (size_t i = 0; i < s->kernel_count; i++)
		if (s->kernels[i] == kernel)
			return;
	for (size_t i = 0; i < s->skipped_count; i++)
		if (s->skipped[i].kernel == kernel)
			return;
	if (!kernel_lacks(kernel, feature, sizeof feature)) {
		s->kernels[s->kernel_count++] = kernel;
		return;
	}
	struct skipped_kernel *skipped = &s->skipped[s->skipped_count++];
	skipped->kernel = kernel;
	snprintf(skipped->reason, sizeof skipped->reason, "this CPU has no %s", feature);
}

static int choose_kernels(struct session *s, const char *names, struct why *why)
{
	bool named = strcmp(names, "all") && strcmp(names, "default");
	s->kernels = calloc(kernel_registry_count, sizeof *s->kernels);
	s->skipped = calloc(kernel_registry_count, sizeof *s->skipped);
	if (!s->kernels || !s->skipped)
		return why_set(why, -ENOMEM, "no memory");
	for (size_t i = 0; !strcmp(names, "all") && i < kernel_registry_count; i++)
		add_kernel(s, &kernel_registry[i]);
	if (!strcmp(names, "default"))
		names = default_kernels;
	while (strcmp(names, "all") && *names) {
		size_t length = strcspn(names, ",");
		const struct kernel *kernel = kernel_find(names, length);
		if (kernel)
			add_kernel(s, kernel);
		else if (named) /* an instruction set need not have all of the default ones */
			return unknown_kernel(names, length, why);
		names += length + (names[length] == ',');
	}
	if (!s->kernel_count)
		return why_set(why, -ENOTSUP, "kernel %s cannot run here: %s",
			       s->skipped_count ? s->skipped[0].kernel->name : "",
			       s->skipped_count ? s->skipped[0].reason : "none was named");
	return 0;
}

static int check_memory(const struct settings *settings, size_t records_at_once, struct why *why)
{
	uint64_t memory = os_memory_bytes(), most = memory ? memory / 2 : UINT64_MAX;
	double needed = 8.0 * ((double)settings->repetitions + 1) * (double)records_at_once;
	if (needed <= (double)most)
		return 0;
	return why_set(
		why, -EINVAL,
		"%llu repetitions would take %.1f GB of memory; half of this machine's is %.1f GB: use fewer --reps",
		(unsigned long long)settings->repetitions, needed / 1e9, (double)most / 1e9);
}

int session_plan(struct session *s, const struct settings *settings, const char *strands, const char *kernels,
		 struct why *why)
{
	*s = (struct session){.settings = settings};
	if (settings->label && !provenance_valid(settings->label))
		return why_set(why, -EINVAL, "--label is measured, virtualised, emulated or modelled; got '%.40s'",
			       settings->label);
	s->label = settings->label ? settings->label : provenance_here();
	if (gethostname(s->host, sizeof s->host - 1) || !s->host[0])
		snprintf(s->host, sizeof s->host, "unknown");
	int error = kernels ? choose_kernels(s, kernels, why) : 0;
	if (!error)
		error = topology_load(&s->topology, settings->topology, why);
	if (!error)
		error = select_strands(&s->strands, &s->topology, strands, why);
	if (!error)
		error = check_memory(settings, settings->together ? s->strands.count : 1, why);
	if (!error && settings->repeat > REPEAT_MOST)
		error = why_set(why, -EINVAL, "--repeat is at most %d", REPEAT_MOST);
	if (!error && plan_make(&s->plan, &s->strands, s->kernels, s->kernel_count, settings->repeat))
		error = why_set(why, -ENOMEM, "no memory for the plan");
	return error;
}

/* The first strand that `all` would give. */
static int first_strand(char *selector, size_t size, struct why *why)
{
	struct topology t;
	struct strand_set set = {0};
	int error = topology_load(&t, NULL, why);
	if (error)
		return error;
	error = select_strands(&set, &t, "all", why);
	if (!error)
		snprintf(selector, size, "%u", set.items[0]->id);
	strand_set_free(&set);
	topology_free(&t);
	return error;
}

int session_plan_first(struct session *s, const struct settings *settings, const char *kernels, struct why *why)
{
	char selector[16];
	int error = settings->strands ? 0 : first_strand(selector, sizeof selector, why);
	return error ? error
		     : session_plan(s, settings, settings->strands ? settings->strands : selector, kernels, why);
}

struct timer_job {
	struct timer_facts *facts;
	struct why *why;
	int error;
};

static void timer_thread(void *argument)
{
	struct timer_job *job = argument;
	job->error = timer_test(job->facts, job->why);
}

static int test_on_first_strand(struct session *s, struct why *why)
{
	struct os_thread *thread;
	struct timer_job job = {&s->timer, why, 0};
	unsigned strand = s->strands.items[0]->id;
	int error = binding_start(&thread, strand, timer_thread, &job, why);
	if (error)
		return error;
	error = os_join(thread);
	return error ? error : job.error;
}

/* A timer fault ends the program, unless the user accepted it: then it becomes a warning in every record. */
static int judge_timer(struct session *s, int error, struct why *why)
{
	char text[WARNING_SIZE];
	if (error != -EIO)
		return error;
	if (!s->settings->accept_timer || !s->timer.hz) {
		size_t length = strlen(why->text);
		snprintf(why->text + length, sizeof why->text - length, ". Times would be wrong; %s",
			 s->timer.hz ? "--accept-timer measures all the same" : "nothing can be measured");
		return error;
	}
	snprintf(text, sizeof text, "accepted although the timer failed its test: %.180s", why->text);
	warnings_add(&s->warnings, text);
	return 0;
}

int session_prepare(struct session *s, struct why *why)
{
	int error = judge_timer(s, test_on_first_strand(s, why), why);
	const char *variance = isa_timer_variance();
	if (!error && variance) {
		why_set(why, 0, "%s", variance);
		error = judge_timer(s, -EIO, why);
	}
	if (!error)
		error = judge_timer(s, timer_test_skew(&s->timer, &s->strands, why), why);
	if (!error && s->kernel_count && !s->settings->iterations)
		error = timer_check_quantum(&s->timer, s->settings->quantum_ns, why);
	return error;
}

void session_free(struct session *s)
{
	plan_free(&s->plan);
	strand_set_free(&s->strands);
	topology_free(&s->topology);
	free(s->kernels);
	free(s->skipped);
}
