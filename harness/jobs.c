#include "harness/jobs.h"
#include <errno.h>
#include <stdlib.h>
#include "harness/binding.h"

static void measure_thread(void *argument)
{
	struct job *job = argument;
	job->error = job_measure(job);
	job_leave_gate(job); /* one that failed before the gate: the others must not wait for it */
}

static void calibrate_thread(void *argument)
{
	struct job *job = argument;
	job->error = job_calibrate(job);
}

static int start(struct job *job, struct os_thread **thread, void (*fn)(void *))
{
	int error = binding_start(thread, job->strand->id, fn, job, &job->why);
	if (error) /* else the thread's own to set */
		job->error = error;
	return error;
}

static int run_alone(struct job *job, void (*fn)(void *))
{
	struct os_thread *thread;
	int error = start(job, &thread, fn);
	if (error)
		return error;
	error = os_join(thread);
	return error ? error : job->error;
}

static int run_together(struct job *jobs, size_t count, struct os_thread **threads)
{
	struct gate gate;
	size_t started = 0;
	int error = 0;

	for (size_t i = 0; i < count; i++) {
		error = jobs[i].iterations ? 0 : run_alone(&jobs[i], calibrate_thread);
		if (error)
			return error;
	}
	/* Not later: threads that wait for each other may keep this one from running. */
	if (jobs->begin)
		jobs->begin(jobs->context);
	atomic_init(&gate.missing, (unsigned)count);
	for (; started < count && !error; started++) {
		jobs[started].gate = &gate;
		error = start(&jobs[started], &threads[started], measure_thread);
	}
	if (error)
		atomic_fetch_sub(&gate.missing, (unsigned)(count - --started));
	for (size_t i = 0; i < started; i++) {
		int join_error = os_join(threads[i]);
		if (join_error)
			return join_error;
		error = error ? error : jobs[i].error;
	}
	return error;
}

int jobs_run(struct job *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		job_init_record(&jobs[i]);
	int error = 0;
	if (count == 1) {
		error = run_alone(jobs, measure_thread);
	} else {
		struct os_thread **threads = calloc(count, sizeof *threads);
		error = threads ? run_together(jobs, count, threads) : -ENOMEM;
		free(threads);
	}
	return error;
}
