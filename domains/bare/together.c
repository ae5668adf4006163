/*
 * All threads at once. The threads go from one kernel to the next in step: each calibrates when its turn comes, while the others
 * wait; all pass one gate and measure; each writes its record when its turn comes. Waiting strands spin: there is no
 * scheduler to give a strand to.
 */
#include "asm/isa.h"
#include "domains/bare/thread.h"

/* The number of turns taken. In a phase (a place in the threads' lists of kernels) there is a turn a thread to calibrate and
 * one to write. */
static atomic_size_t turns;
static struct gate gate;
static atomic_uint ready; /* threads that were calibrated for the phase at hand */

static void wait_for_turn(size_t turn)
{
	while (atomic_load_explicit(&turns, memory_order_acquire) < turn)
		isa_relax();
}

static void end_turn(void)
{
	atomic_fetch_add_explicit(&turns, 1, memory_order_release);
}

static size_t phase_count(void)
{
	size_t most = 0;
	for (size_t i = 0; i < bare_thread_count; i++)
		if (bare_threads[i].kernel_count > most)
			most = bare_threads[i].kernel_count;
	return most;
}

static int calibrate_in_turn(struct bare_work *work, const struct bare_thread *thread, size_t phase)
{
	int error = bare_prepare(work, thread, phase);
	if (!error && !work->job.iterations)
		error = job_calibrate(&work->job);
	if (!error)
		atomic_fetch_add(&ready, 1);
	return error;
}

/* The last one to calibrate sets the gate up for all. */
static void close_gate(void)
{
	atomic_init(&gate.missing, atomic_exchange(&ready, 0));
}

static bool run_phase(const struct bare_thread *thread, size_t phase, size_t first_turn, size_t index)
{
	struct bare_work work;
	bool takes_part = phase < thread->kernel_count && !bare_skips(thread->kernels[phase]);
	int error = 0;

	wait_for_turn(first_turn + index);
	if (takes_part)
		error = calibrate_in_turn(&work, thread, phase);
	if (index == bare_thread_count - 1)
		close_gate();
	end_turn();
	wait_for_turn(first_turn + bare_thread_count);
	if (takes_part && !error) {
		work.job.gate = &gate;
		error = job_measure(&work.job);
		job_leave_gate(&work.job);
	}
	wait_for_turn(first_turn + bare_thread_count + index);
	if (takes_part && error)
		bare_tell_failure(thread, work.job.kernel, &work.job.why);
	else if (takes_part)
		bare_write_record(thread, &work.job.record);
	if (takes_part)
		bare_release(&work);
	end_turn();
	return !error;
}

bool bare_thread_together(size_t index)
{
	size_t phases = phase_count();
	bool good = true;
	for (size_t phase = 0; phase < phases; phase++)
		good &= run_phase(&bare_threads[index], phase, 2 * phase * bare_thread_count, index);
	return good;
}

void bare_wait_together(void)
{
	wait_for_turn(2 * phase_count() * bare_thread_count);
}
