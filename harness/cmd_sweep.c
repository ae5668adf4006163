#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "harness/command.h"
#include "harness/jobs.h"
#include "harness/print_json.h"
#include "harness/progress.h"
#include "harness/run_folder.h"
#include "harness/run_json.h"
#include "harness/signals.h"

struct sweep {
	struct session session;
	struct causes causes;
	struct run_folder folder;
	struct progress progress;
	struct operand operand;
	uint64_t guess; /* iterations that the kernel at hand needed on the strand before */
	size_t records_with_warnings;
};

static void plan_members(struct json *j, const void *context)
{
	run_json_plan(j, context);
}

static int dry_run(const struct session *s)
{
	if (s->settings->json)
		return print_json(plan_members, &s->plan);
	for (size_t i = 0; i < s->plan.count; i++) {
		const struct plan_step *step = &s->plan.steps[i];
		printf("%u\t%s", step->strand->id, step->kernel->name);
		if (s->settings->repeat > 1)
			printf("\t%llu", (unsigned long long)step->round);
		printf("\n");
	}
	return 0;
}

static void fill_job(struct sweep *s, struct job *job, const struct plan_step *step, unsigned index)
{
	const struct settings *settings = s->session.settings;
	job->kernel = step->kernel;
	job->strand = step->strand;
	job->operand = &s->operand;
	job->index = index;
	job->repetitions = settings->repetitions;
	job->quantum_ns = settings->quantum_ns;
	job->iterations = settings->iterations;
	job->guess = s->guess;
	job->timer_hz = s->session.timer.hz;
	job->realtime = settings->realtime;
	job->record.round = step->round;
	job->begin = causes_start;
	job->context = &s->causes;
	job->record.host = s->session.host;
	job->record.label = s->session.label;
	job->record.warnings = s->session.warnings;
}

static int keep_record(struct sweep *s, const struct job *job, struct why *why)
{
	char events[PATH_MAX];
	uint64_t counts = job->stamps[job->repetitions] - job->stamps[0];

	s->folder.measured_ns += (uint64_t)((double)counts * 1e9 / (double)job->timer_hz);
	s->guess = job->record.iterations;
	operand_view_end(&job->view, &s->operand);
	s->records_with_warnings += job->record.warnings.count > 0;
	run_folder_events_path(&s->folder, events, sizeof events, &job->record);
	int error = causes_write(&s->causes, events, &job->record, job->thread_id, why);
	return error ? error : run_folder_record(&s->folder, &job->record, why);
}

/* The steps that run at once: one, or the kernel's on all strands. */
static int run_steps(struct sweep *s, size_t first, size_t count, struct why *why)
{
	char now[96];
	struct job *jobs = calloc(count, sizeof *jobs);
	if (!jobs)
		return why_set(why, -ENOMEM, "no memory for %zu jobs", count);
	const struct plan_step *steps = &s->session.plan.steps[first];
	snprintf(now, sizeof now, count > 1 ? "%s on all strands" : "%s on strand %u", steps->kernel->name,
		 steps->strand->id);
	progress_step(&s->progress, first, now);
	for (size_t i = 0; i < count; i++)
		fill_job(s, &jobs[i], &steps[i], (unsigned)i);
	int error = causes_expect(&s->causes, steps, count, why);
	if (!error)
		error = jobs_run(jobs, count);
	if (error == -EINTR) /* threads may still use the jobs: they are left to the program's end */
		return why_set(why, error, "broken off");
	causes_stop(&s->causes);
	for (size_t i = 0; error && i < count; i++)
		if (jobs[i].error)
			*why = jobs[i].why;
	for (size_t i = 0; i < count; i++) {
		error = error ? error : keep_record(s, &jobs[i], why);
		job_free(&jobs[i]);
	}
	free(jobs);
	return error;
}

static int change_kernel(struct sweep *s, const struct kernel *kernel, struct why *why)
{
	uint64_t before_ns = os_now_ns();
	s->guess = 0;
	operand_free(&s->operand);
	int error = operand_build(&s->operand, kernel->operand, &s->session.topology, why);
	s->folder.operands_ns += os_now_ns() - before_ns;
	return error;
}

static int run_plan(struct sweep *s, struct why *why)
{
	const struct plan *plan = &s->session.plan;
	size_t at_once = s->session.settings->together ? s->session.strands.count : 1;
	int error = 0;

	progress_begin(&s->progress, plan->count, s->session.settings->quiet);
	for (size_t i = 0; i < plan->count && !error; i += at_once) {
		if (!i || plan->steps[i].kernel != plan->steps[i - 1].kernel)
			error = change_kernel(s, plan->steps[i].kernel, why);
		if (!error)
			error = run_steps(s, i, at_once, why);
		if (signals_caught())
			error = -EINTR;
	}
	progress_end(&s->progress);
	if (error != -EINTR) /* else a measuring thread may still use it */
		operand_free(&s->operand);
	return error;
}

static void say_remarks(const struct sweep *s)
{
	for (size_t i = 0; i < s->session.skipped_count; i++)
		fprintf(stderr, "cmtnoise: kernel %s was skipped: %s\n", s->session.skipped[i].kernel->name,
			s->session.skipped[i].reason);
	if (s->causes.traced && s->causes.reason[0])
		fprintf(stderr, "cmtnoise: %s\n", s->causes.reason);
	if (s->records_with_warnings)
		fprintf(stderr, "cmtnoise: %zu records carry warnings; cmtnoise report %s lists them\n",
			s->records_with_warnings, s->folder.path);
}

static int measure_sweep(struct sweep *s)
{
	struct why why = {""}, end_why;
	int error = run_folder_begin(&s->folder, &s->session, &s->causes, &why);
	if (error)
		return command_failed(error, why.text);
	error = run_plan(s, &why);
	causes_end(&s->causes); /* first of all: nothing of the tracing is to stay, whatever comes next */
	if (s->causes.traced && s->causes.reason[0])
		warnings_add(&s->folder.warnings, s->causes.reason);
	if (!s->session.settings->quiet)
		say_remarks(s);
	int signal_number = signals_caught();
	const char *status = signal_number ? "interrupted" : error ? "failed" : "complete";
	const char *detail = signal_number == SIGINT ? "SIGINT" : signal_number ? "SIGTERM" : why.text;
	int end_error = run_folder_end(&s->folder, status, error ? detail : "", &end_why);
	printf("%s\n", s->folder.path);
	fflush(stdout);
	if (signal_number) {
		fprintf(stderr, "cmtnoise: broken off by %s; the records that were complete are in %s\n", detail,
			s->folder.path);
		_exit(128 + signal_number); /* a measuring thread may still run */
	}
	if (error)
		return command_failed(1, why.text);
	return end_error ? command_failed(1, end_why.text) : 0;
}

static int sweep_this_host(struct sweep *s)
{
	struct why why = {""};
	int error = session_prepare(&s->session, &why);
	if (signals_caught())
		_exit(128 + signals_caught());
	if (!error)
		error = causes_begin(&s->causes, s->session.settings, &why);
	int code = error ? command_failed(error, why.text) : measure_sweep(s);
	causes_end(&s->causes);
	return code;
}

int command_sweep(const struct settings *settings)
{
	struct sweep s = {0};
	struct why why = {""};
	int code;
	int error = causes_check(settings, &why);
	if (!error)
		error = session_plan(&s.session, settings, settings->strands ? settings->strands : "all",
				     settings->kernels ? settings->kernels : "default", &why);
	if (error) {
		code = command_failed(error, why.text);
	} else if (settings->dry_run) {
		code = dry_run(&s.session);
	} else if (!s.session.topology.is_this_host) {
		code = command_failed(
			-EINVAL,
			"--topology describes another machine: it can be planned for with --dry-run, not measured");
	} else {
		code = sweep_this_host(&s);
	}
	session_free(&s.session);
	return code;
}
