#include "harness/job.h"
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include "asm/isa.h"
#include "harness/binding.h"
#include "harness/calibrate.h"
#include "harness/measure.h"

/* Repetitions after the counters were read and before the first stamp: reading them leaves its own lines in the caches. */
enum { REWARM = 3 };

/* A baseline that is off by more than 1/DRIFT is told. */
enum { DRIFT = 200 };

/* Where jobs that run at once wait until the last of them is ready. */
struct gate {
	atomic_uint missing;
};

static void warn(struct job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn(struct job *job, const char *format, ...)
{
	char text[WARNING_SIZE];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	warnings_add(&job->record.warnings, text);
}

static void prepare_realtime(struct job *job)
{
	struct why caveat = {""};
	job->record.realtime = "no";
	if (!job->realtime)
		return;
	int error = os_realtime(&caveat);
	if (!error)
		job->record.realtime = os_realtime_name;
	if (error)
		warn(job, "real-time scheduling was refused, measured without it: %s", caveat.text);
	else if (caveat.text[0])
		warn(job, "%s", caveat.text);
}

static uint64_t quantum_counts(const struct job *job)
{
	return (uint64_t)((double)job->quantum_ns * 1e-9 * (double)job->timer_hz + 0.5);
}

static int prepare_work(struct job *job, void *operand)
{
	struct calibration c;
	uint64_t began_ns = os_now_ns();

	if (job->iterations) {
		warm_up(&c, job->kernel, operand, job->iterations);
	} else if (calibrate(&c, job->kernel, operand, quantum_counts(job), job->guess)) {
		return why_set(
			&job->why, -ERANGE,
			"kernel %s: one turn of its loop takes longer than the quantum of %llu ns: use a longer --quantum",
			job->kernel->name, (unsigned long long)job->quantum_ns);
	}
	if (!c.stable)
		warn(job, "the baseline did not settle within the warm-up: other work, or a changing clock frequency");
	if (c.iterations < 300)
		warn(job,
		     "the loop's turns are coarse for this quantum: one is %.1f %% of a repetition, and calibration comes to half",
		     100.0 / (double)c.iterations);
	job->record.iterations = c.iterations;
	job->record.calibration_ns = os_now_ns() - began_ns;
	return 0;
}

/* A clock frequency that changes during the record moves the low quantile; peaks do not. */
static void check_drift(struct job *job)
{
	uint64_t tenth = job->repetitions / 10, lowest = UINT64_MAX, highest = 0;
	if (tenth < 10)
		return;
	for (unsigned i = 0; i < 10; i++) {
		uint64_t counts = low_quantile_counts(job->stamps + i * tenth, tenth);
		lowest = counts < lowest ? counts : lowest;
		highest = counts > highest ? counts : highest;
	}
	if (highest - lowest > lowest / DRIFT)
		warn(job,
		     "the baseline drifted during the record: by %.1f %%; a changing clock frequency, or a neighbour's load",
		     100.0 * (double)(highest - lowest) / (double)lowest);
}

/* The strand may have run at another speed while it was calibrated. */
static void check_target(struct job *job)
{
	double off = (double)low_quantile_counts(job->stamps, job->repetitions) / (double)quantum_counts(job) - 1;
	if (!job->record.quantum_ns || (off < 1.0 / DRIFT && off > -1.0 / DRIFT))
		return;
	warn(job,
	     "the strand changed its speed between calibration and record: by %.1f %%; work on its core, or the clock",
	     100 * off);
}

static void pass_gate(struct job *job)
{
	struct gate *gate = job->gate;
	job->gate = NULL;
	atomic_fetch_sub(&gate->missing, 1);
	while (atomic_load_explicit(&gate->missing, memory_order_acquire))
		isa_relax();
}

static void measure_record(struct job *job, void *operand)
{
	struct record *r = &job->record;
	uint64_t rewarm[REWARM + 1];

	if (job->begin && !job->gate)
		job->begin(job->context);
	os_counters(job->strand->id, r->before);
	if (job->gate)
		pass_gate(job);
	measure(job->kernel, r->iterations, operand, rewarm, REWARM);
	r->start_time_ns = os_wall_time_ns();
	measure(job->kernel, r->iterations, operand, job->stamps, job->repetitions);
	os_counters(job->strand->id, r->after);
}

static int run_bound(struct job *job)
{
	int error = binding_check(job->strand->id, "before the record", &job->why);
	if (error)
		return error;
	void *operand = operand_view_init(&job->view, job->operand, job->index);
	job->stamps = os_alloc((job->repetitions + 1) * sizeof *job->stamps, &job->locked);
	if (!job->stamps)
		return why_set(&job->why, -ENOMEM, "no memory for %llu repetitions: use fewer --reps",
			       (unsigned long long)job->repetitions);
	job->thread_id = os_thread_id();
	prepare_realtime(job);
	error = prepare_work(job, operand);
	if (error)
		return error;
	measure_record(job, operand);
	error = binding_check(job->strand->id, "after the record", &job->why);
	if (error)
		return error;
	check_drift(job);
	check_target(job);
	if (!job->locked || (job->operand->memory && !job->operand->locked))
		warn(job, "memory could not be locked: raise the limit (ulimit -l) or run as root");
	return 0;
}

static void measure_thread(void *argument)
{
	struct job *job = argument;
	job->error = run_bound(job);
	if (job->gate) /* failed before the gate: the others must not wait */
		atomic_fetch_sub(&job->gate->missing, 1);
}

static void calibrate_thread(void *argument)
{
	struct job *job = argument;
	job->error = binding_check(job->strand->id, "before the record", &job->why);
	if (job->error)
		return;
	prepare_realtime(job);
	job->error = prepare_work(job, operand_view_init(&job->view, job->operand, job->index));
	job->iterations = job->record.iterations;
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
	for (size_t i = 0; i < count; i++) {
		struct job *job = &jobs[i];
		job->record.kernel = job->kernel;
		job->record.strand = job->strand->id;
		job->record.core = job->strand->core;
		job->record.package = job->strand->package;
		job->record.quantum_ns = job->iterations ? 0 : job->quantum_ns;
		job->record.repetitions = job->repetitions;
		job->record.timer_hz = job->timer_hz;
	}
	int error = 0;
	if (count == 1) {
		error = run_alone(jobs, measure_thread);
	} else {
		struct os_thread **threads = calloc(count, sizeof *threads);
		error = threads ? run_together(jobs, count, threads) : -ENOMEM;
		free(threads);
	}
	for (size_t i = 0; i < count; i++)
		jobs[i].record.stamps = jobs[i].stamps;
	return error;
}

void job_free(struct job *job)
{
	if (job->stamps)
		os_free(job->stamps, (job->repetitions + 1) * sizeof *job->stamps);
	job->stamps = NULL;
}
