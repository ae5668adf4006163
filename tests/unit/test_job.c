/* One measurement on a machine and an OS made up here: what becomes of it when something goes wrong on the way. */
#include "tests/unit/test.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "asm/isa.h"
#include "harness/jobs.h"
#include "harness/os/os.h"

enum { HZ = 1000000000, QUANTUM_NS = 100000 };

static struct {
	uint64_t now, calls;
	double counts_per_iteration;
	uint64_t slower_from; /* call from which on a turn takes 3 % longer; 0: never */
	unsigned strand;
	bool bound;
	unsigned where_calls, moved_at; /* the call of os_where() from which on the thread is elsewhere; 0: never */
	int realtime_error, start_error;
	bool no_memory, unlocked;
} machine;

const char os_name[] = "made up";

uint64_t timer_read(void)
{
	return machine.now += 20;
}

uint64_t os_thread_id(void)
{
	return 4321;
}

uint64_t os_now_ns(void)
{
	return machine.now;
}

uint64_t os_wall_time_ns(void)
{
	return 1795239012000000000 + machine.now;
}

int os_start(struct os_thread **thread, unsigned strand, void (*fn)(void *argument), void *argument)
{
	*thread = NULL;
	if (machine.start_error)
		return machine.start_error;
	machine.strand = strand;
	fn(argument);
	return 0;
}

int os_join(struct os_thread *thread)
{
	assert_null(thread);
	return 0;
}

int os_where(unsigned *strand, bool *bound)
{
	bool moved = machine.moved_at && ++machine.where_calls >= machine.moved_at;
	*strand = machine.strand + moved;
	*bound = machine.bound;
	return 0;
}

int os_realtime(const char **name, struct why *why)
{
	if (!machine.realtime_error)
		*name = "fifo 80";
	return why_set(why, machine.realtime_error, "%s",
		       machine.realtime_error ? "not permitted" : "throttled: a little");
}

void *os_alloc(size_t bytes, bool *locked)
{
	*locked = !machine.unlocked;
	return machine.no_memory ? NULL : calloc(1, bytes);
}

void os_free(void *memory, size_t bytes)
{
	(void)bytes;
	free(memory);
}

void os_counters(unsigned strand, uint64_t values[COUNTER_COUNT])
{
	for (unsigned i = 0; i < COUNTER_COUNT; i++)
		values[i] = strand * 1000 + machine.calls;
	machine.now += 12345;
}

uint64_t os_memory_bytes(void)
{
	return 1 << 30;
}

static void run(uint64_t iterations, void *operand)
{
	(void)operand;
	double slowdown = machine.slower_from && machine.calls >= machine.slower_from ? 1.03 : 1;
	machine.now += (uint64_t)((double)iterations * machine.counts_per_iteration * slowdown);
	machine.calls++;
}

static const struct kernel kernel = {.name = "made_up", .run = run, .ops_per_iteration = 1};
static const struct strand strand = {.id = 5, .core = 1, .package = 0, .state = STRAND_USABLE};
static const struct operand no_operand = {.kind = OPERAND_NONE};

static void new_machine(struct job *job)
{
	memset(&machine, 0, sizeof machine);
	machine.counts_per_iteration = 80;
	machine.bound = true;
	*job = (struct job){.kernel = &kernel,
			    .strand = &strand,
			    .operand = &no_operand,
			    .repetitions = 400,
			    .quantum_ns = QUANTUM_NS,
			    .timer_hz = HZ};
}

static bool warned(const struct job *job, const char *beginning)
{
	for (unsigned i = 0; i < job->record.warnings.count; i++)
		if (!strncmp(job->record.warnings.text[i], beginning, strlen(beginning)))
			return true;
	return false;
}

static void a_quiet_record(void **state)
{
	struct job job;
	(void)state;
	new_machine(&job);
	assert_int_equal(jobs_run(&job, 1), 0);
	const struct record *r = &job.record;
	assert_int_equal(r->warnings.count, 0);
	assert_int_equal(r->strand, 5);
	assert_int_equal(r->core, 1);
	assert_int_equal(r->quantum_ns, QUANTUM_NS);
	assert_in_range(r->iterations * 80 + 20, QUANTUM_NS * 0.999, QUANTUM_NS * 1.001);
	assert_string_equal(r->realtime, "no");
	for (unsigned i = 0; i < 400; i++)
		assert_int_equal(r->stamps[i + 1] - r->stamps[i], r->iterations * 80 + 20);
	assert_true(r->calibration_ns > 0 && r->calibration_ns < 10000000);
	assert_int_equal(r->after.values[0] - r->before.values[0],
			 403); /* the counters enclose the record and its three unrecorded ones */
	uint64_t repetition = r->iterations * 80 + 20;
	assert_int_equal(r->before.ended - r->before.began, 12345 + 20);
	assert_int_equal(r->stamps[0] - r->before.ended, 3 * repetition + 2 * 20);
	assert_int_equal(r->after.began - r->stamps[400], 20);
	assert_int_equal(r->after.ended - r->after.began, 12345 + 20);
	job_free(&job);
}

static void fixed_work_is_kept(void **state)
{
	struct job job;
	(void)state;
	new_machine(&job);
	job.iterations = 77;
	assert_int_equal(jobs_run(&job, 1), 0);
	assert_int_equal(job.record.iterations, 77);
	assert_int_equal(job.record.quantum_ns, 0);
	assert_false(warned(&job, "the strand changed its speed"));
	job_free(&job);
}

static void a_change_of_speed_is_told(void **state)
{
	struct job job;
	(void)state;
	new_machine(&job);
	machine.slower_from = 300; /* calibration is over by then, and the record begun */
	assert_int_equal(jobs_run(&job, 1), 0);
	assert_true(warned(&job, "the baseline drifted during the record: by 3.0 %"));
	job_free(&job);

	new_machine(&job);
	machine.slower_from = 85; /* between calibration and record */
	assert_int_equal(jobs_run(&job, 1), 0);
	assert_true(warned(&job, "the strand changed its speed between calibration and record: by 3.0 %"));
	assert_false(warned(&job, "the baseline drifted"));
	job_free(&job);
}

static void a_lost_binding_is_an_error(void **state)
{
	struct job job;
	(void)state;
	new_machine(&job);
	machine.moved_at = 2;
	assert_int_equal(jobs_run(&job, 1), -EXDEV);
	assert_string_equal(job.why.text,
			    "strand 5: the binding was lost after the record: the thread is bound to strand 6");
	job_free(&job);
	new_machine(&job);
	machine.bound = false;
	assert_int_equal(jobs_run(&job, 1), -EXDEV);
	assert_non_null(strstr(job.why.text, "strand 5: the binding was lost before the record"));
	assert_null(job.stamps);
}

static void what_is_not_permitted_is_a_warning(void **state)
{
	struct job job;
	(void)state;
	new_machine(&job);
	job.realtime = true;
	machine.realtime_error = -EPERM;
	machine.unlocked = true;
	assert_int_equal(jobs_run(&job, 1), 0);
	assert_true(warned(&job, "real-time scheduling was refused, measured without it: not permitted"));
	assert_true(warned(&job, "memory could not be locked"));
	assert_string_equal(job.record.realtime, "no");
	job_free(&job);

	new_machine(&job);
	job.realtime = true;
	assert_int_equal(jobs_run(&job, 1), 0);
	assert_true(warned(&job, "throttled: a little"));
	assert_string_equal(job.record.realtime, "fifo 80");
	job_free(&job);
}

static void what_cannot_be_done_is_an_error(void **state)
{
	struct job job;
	(void)state;
	new_machine(&job);
	machine.start_error = -EINVAL;
	assert_int_equal(jobs_run(&job, 1), -EBUSY);
	assert_non_null(strstr(job.why.text, "strand 5: cannot start a thread there"));
	new_machine(&job);
	machine.no_memory = true;
	assert_int_equal(jobs_run(&job, 1), -ENOMEM);
	assert_string_equal(job.why.text, "no memory for 400 repetitions: use fewer --reps");
	new_machine(&job);
	machine.counts_per_iteration = 3 * QUANTUM_NS;
	assert_int_equal(jobs_run(&job, 1), -ERANGE);
	assert_non_null(strstr(job.why.text, "kernel made_up: one turn of its loop takes longer than the quantum"));
	job_free(&job);
}

static void a_coarse_kernel_is_told(void **state)
{
	struct job job;
	(void)state;
	new_machine(&job);
	machine.counts_per_iteration = 1000;
	assert_int_equal(jobs_run(&job, 1), 0);
	assert_true(warned(&job, "the loop's turns are coarse for this quantum: one is 1.0 % of a repetition"));
	job_free(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_record),
		cmocka_unit_test(fixed_work_is_kept),
		cmocka_unit_test(a_change_of_speed_is_told),
		cmocka_unit_test(a_lost_binding_is_an_error),
		cmocka_unit_test(what_is_not_permitted_is_a_warning),
		cmocka_unit_test(what_cannot_be_done_is_an_error),
		cmocka_unit_test(a_coarse_kernel_is_told),
	};
	return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
