#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "harness/command.h"
#include "harness/file.h"
#include "harness/jobs.h"
#include "harness/session.h"
#include "harness/signals.h"

static int measure(struct session *s, struct job *job, struct why *why)
{
	struct operand operand;
	const struct settings *settings = s->settings;
	int error = operand_build(&operand, s->kernels[0]->operand, &s->topology, why);
	if (error)
		return error;
	*job = (struct job){
		.kernel = s->kernels[0],
		.strand = s->strands.items[0],
		.operand = &operand,
		.repetitions = settings->repetitions,
		.quantum_ns = settings->quantum_ns,
		.iterations = settings->iterations,
		.timer_hz = s->timer.hz,
		.realtime = settings->realtime,
		.record = {.host = s->host, .label = s->label, .warnings = s->warnings},
	};
	error = jobs_run(job, 1);
	*why = job->why;
	if (error != -EINTR) /* else the measuring thread may still use it */
		operand_free(&operand);
	return error;
}

static int run_session(struct session *s)
{
	static struct file file;
	static struct job job;
	struct why why = {""};
	const char *output = s->settings->output ? s->settings->output : "-";

	if (s->strands.count != 1)
		return command_failed(-EINVAL, "run measures one strand; use sweep for several");
	if (s->kernel_count != 1)
		return command_failed(-EINVAL, "run measures one kernel; use sweep for several");
	/* Opened first: a place that cannot be written is known before anything is measured. */
	int error = file_begin(&file, output, false, &why);
	if (!error)
		error = session_prepare(s, &why);
	if (!error)
		error = measure(s, &job, &why);
	if (error || signals_caught())
		file_abandon(&file);
	if (signals_caught())
		_exit(128 + signals_caught()); /* at once: the measuring thread may still run */
	if (error)
		return command_failed(error, why.text);
	for (unsigned i = 0; i < job.record.warnings.count && !s->settings->quiet; i++)
		fprintf(stderr, "cmtnoise: strand %u, %s: %s\n", job.strand->id, job.kernel->name,
			job.record.warnings.text[i]);
	record_write(&file.text, &job.record);
	error = file_end(&file, &why);
	job_free(&job);
	return error ? command_failed(1, why.text) : 0;
}

int command_run(const struct settings *settings)
{
	struct session s = {0};
	struct why why = {""};
	int error = session_plan_first(&s, settings, settings->kernels ? settings->kernels : "add", &why);
	int code = error ? command_failed(error, why.text) : run_session(&s);
	session_free(&s);
	return code;
}
