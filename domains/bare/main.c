/*
 * The static-thread runtime. Threads are fixed to strands when the image is built (threads.awk); a strand runs its one thread
 * from start to end, with interrupts off: no scheduler, no tick, no allocation but from one arena.
 *
 * In turns, the boot strand's thread runs first; a strand that is done starts the next one of the map and parks, so that no
 * strand ever waits in a loop while another measures. Together, the boot strand starts all the others and they keep step.
 */
#include "asm/isa.h"
#include "domains/bare/facts.h"
#include "domains/bare/thread.h"

struct machine bare_machine;
static atomic_bool failed;
static atomic_size_t turn;  /* index of the thread whose strand was started last */
static atomic_bool parking; /* whoever started it is about to park */
static unsigned boot_strand;

const char *bare_label(void)
{
	return bare_config.label[0] ? bare_config.label : bare_machine.label;
}

/* The first one to end has the console; whoever comes later, perhaps by a trap in the report itself, stops. */
static void claim_end(void)
{
	static atomic_flag claimed = ATOMIC_FLAG_INIT;
	if (atomic_flag_test_and_set(&claimed))
		machine_park();
}

static _Noreturn void tell_end(const char *sentence)
{
	console_line(sentence[0] ? "@end: failed %s" : "@end: ok%s", sentence);
	machine_end(sentence[0]);
}

static _Noreturn void end(const char *sentence)
{
	claim_end();
	tell_end(sentence);
}

void bare_trap(uint64_t type, uint64_t pc, const char *what)
{
	claim_end();
	console_line("@trap: %u 0x%llx 0x%llx %s", machine_strand(), (unsigned long long)type, (unsigned long long)pc,
		     what);
	tell_end("trapped");
}

/* The thread with this index; none, if there is none on the calling strand. */
static void run_here(size_t index)
{
	if (index == bare_thread_count)
		return;
	bool ticking = bare_config.tick_hz > 0;
	if (ticking && !machine_tick_start(bare_config.tick_hz, bare_config.tick_path))
		end("this machine cannot tick at the rate that was asked for");
	if (!(bare_config.together ? bare_thread_together(index) : bare_thread_alone(&bare_threads[index])))
		atomic_store(&failed, true);
	if (ticking)
		machine_tick_stop();
}

static bool start(size_t index)
{
	if (machine_start(bare_threads[index].strand, bare_threads[index].stack_top))
		return true;
	console_line("@failed: %u - there is no such strand, or it did not start", bare_threads[index].strand);
	atomic_store(&failed, true);
	return false;
}

static _Noreturn void finish(void)
{
	end(atomic_load(&failed) ? "not every record could be measured" : "");
}

/* Starts the first strand from this place in the map on that can be started, and parks. */
static _Noreturn void pass_on(size_t index)
{
	for (; index < bare_thread_count; index++) {
		if (bare_threads[index].strand == boot_strand)
			continue;
		atomic_store(&turn, index);
		atomic_store(&parking, false);
		if (!start(index))
			continue;
		atomic_store(&parking, true);
		machine_park();
	}
	finish();
}

static size_t index_of(unsigned strand)
{
	size_t i = 0;
	while (i < bare_thread_count && bare_threads[i].strand != strand)
		i++;
	return i;
}

void bare_strand(void)
{
	size_t index = bare_config.together ? index_of(machine_strand()) : atomic_load(&turn);
	while (!bare_config.together && !atomic_load(&parking))
		isa_relax();
	run_here(index);
	if (bare_config.together)
		machine_park();
	pass_on(index + 1);
}

/* A thread whose strand does not start would keep the others waiting for ever: then nothing is measured. */
static _Noreturn void run_together(void)
{
	for (size_t i = 0; i < bare_thread_count; i++)
		if (bare_threads[i].strand != boot_strand && !start(i))
			end("not every strand started");
	run_here(index_of(boot_strand));
	bare_wait_together();
	finish();
}

/* NULL, or why nothing can be measured. */
static const char *test_timer(struct timer_facts *timer)
{
	static struct why why;
	if (timer_test_steps(timer, &why))
		return why.text;
	timer->hz = bare_machine.timer_hz;
	if (!bare_config.iterations && timer_check_quantum(timer, bare_config.quantum_ns, &why))
		return why.text;
	return NULL;
}

void bare_boot(void)
{
	struct timer_facts timer;
	const char *fault = machine_begin(&bare_machine, bare_config.timer_hz);
	console_line("@cmtnoise-bare: 1");
	if (fault)
		end(fault);
	fault = test_timer(&timer);
	bare_tell_facts(&timer);
	if (fault)
		end(fault);
	boot_strand = machine_strand();
	if (bare_config.together)
		run_together();
	run_here(index_of(boot_strand));
	pass_on(0);
}
