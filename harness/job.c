#include "harness/job.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include "asm/isa.h"
#include "harness/binding.h"
#include "harness/calibrate.h"
#include "harness/measure.h"

/* Repetitions after the counters were read and before the first stamp: reading them leaves its own lines in the caches. */
enum { REWARM = 3 };

/* A baseline that is off by more than 1/DRIFT is told. */
enum { DRIFT = 200 };

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

void job_leave_gate(struct job *job)
{
	if (job->gate)
		atomic_fetch_sub(&job->gate->missing, 1);
	job->gate = NULL;
}

void job_init_record(struct job *job)
{
	struct record *r = &job->record;
	r->kernel = job->kernel;
	r->strand = job->strand->id;
	r->core = job->strand->core;
	r->package = job->strand->package;
	r->quantum_ns = job->iterations ? 0 : job->quantum_ns;
	r->repetitions = job->repetitions;
	r->timer_hz = job->timer_hz;
}

static void prepare_realtime(struct job *job)
{
	struct why caveat = {""};
	job->record.realtime = "no";
	if (!job->realtime)
		return;
	int error = os_realtime(&job->record.realtime, &caveat);
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
	if (job->record.quantum_ns && c.iterations < 300)
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

/* The strand may have run at another speed while it was calibrated. Half a turn is as near as whole turns come. */
static void check_target(struct job *job)
{
	double off = (double)low_quantile_counts(job->stamps, job->repetitions) / (double)quantum_counts(job) - 1;
	double most = 1.0 / DRIFT + 0.5 / (double)job->record.iterations;
	if (!job->record.quantum_ns || (off < most && off > -most))
		return;
	warn(job,
	     "the strand changed its speed between calibration and record: by %.1f %%; work on its core, or the clock",
	     100 * off);
}

static void pass_gate(struct job *job)
{
	struct gate *gate = job->gate;
	job_leave_gate(job);
	while (atomic_load_explicit(&gate->missing, memory_order_acquire))
		isa_relax();
}

static void read_counters(const struct job *job, struct reading *reading)
{
	reading->began = timer_read();
	os_counters(job->strand->id, reading->values);
	reading->ended = timer_read();
}

static void measure_record(struct job *job, void *operand)
{
	struct record *r = &job->record;
	uint64_t rewarm[REWARM + 1];

	if (job->begin && !job->gate)
		job->begin(job->context);
	read_counters(job, &r->before);
	if (job->gate)
		pass_gate(job);
	measure(job->kernel, r->iterations, operand, rewarm, REWARM);
	r->start_time_ns = os_wall_time_ns();
	measure(job->kernel, r->iterations, operand, job->stamps, job->repetitions);
	read_counters(job, &r->after);
}

int job_measure(struct job *job)
{
	int error = binding_check(job->strand->id, "before the record", &job->why);
	if (error)
		return error;
	void *operand = operand_view_init(&job->view, job->operand, job->index);
	job->stamps = os_alloc((job->repetitions + 1) * sizeof *job->stamps, &job->locked);
	if (!job->stamps)
		return why_set(&job->why, -ENOMEM, "no memory for %llu repetitions: use fewer --reps",
			       (unsigned long long)job->repetitions);
	job->record.stamps = job->stamps;
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
		warn(job, "memory could not be locked: %s", os_words.unlocked);
	return 0;
}

int job_calibrate(struct job *job)
{
	int error = binding_check(job->strand->id, "before the record", &job->why);
	if (error)
		return error;
	prepare_realtime(job);
	error = prepare_work(job, operand_view_init(&job->view, job->operand, job->index));
	job->iterations = job->record.iterations;
	return error;
}

void job_free(struct job *job)
{
	if (job->stamps)
		os_free(job->stamps, (job->repetitions + 1) * sizeof *job->stamps);
	job->stamps = NULL;
}
