/* No operating system: the static-thread runtime (domains/bare/) on one of its machines. What only the commands of the hosted
 * program ask of an OS (describing the host, its doctor, the states of strands) is not here: the launcher tells it. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include "asm/isa.h"
#include "domains/bare/bare.h"
#include "harness/os/os.h"
#include "harness/why.h"

const char os_name[] = "bare";

/* Nothing of this is ever said: a strand of the thread map is there, bound, and its memory stays. */
const struct os_words os_words = {
	.masked = "", .excluded = "", .offline = "", .unbound = "", .unlocked = "", .untraced = ""};

enum { PAGE = 4096 };

/* A static thread begins with its strand. */
int os_start(struct os_thread **thread, unsigned strand, void (*fn)(void *argument), void *argument)
{
	(void)thread, (void)strand, (void)fn, (void)argument;
	return -ENOTSUP;
}

int os_join(struct os_thread *thread)
{
	(void)thread;
	return -ENOTSUP;
}

void os_start_reason(struct why *reason, unsigned strand, int error)
{
	(void)strand;
	why_set(reason, error, "%s", "");
}

uint64_t os_thread_id(void)
{
	return machine_strand();
}

int os_where(unsigned *strand, bool *bound)
{
	*strand = machine_strand();
	*bound = true;
	return 0;
}

int os_cpu_has(const char *feature)
{
	return machine_has(feature);
}

void os_hypervisor(char *name, size_t size)
{
	snprintf(name, size, "%s", bare_machine.hypervisor);
}

int os_realtime(const char **name, struct why *why)
{
	(void)name;
	return why_set(why, -ENOTSUP, "there is no scheduler");
}

/* The memory behind the image is handed out from its start to its end, and begins anew once all of it was given back: what
 * one kernel measured with is given back before the next. */
static struct {
	atomic_flag taken;
	size_t used;
	unsigned owners;
} arena = {.taken = ATOMIC_FLAG_INIT};

static void lock_arena(void)
{
	while (atomic_flag_test_and_set_explicit(&arena.taken, memory_order_acquire))
		isa_relax();
}

static void unlock_arena(void)
{
	atomic_flag_clear_explicit(&arena.taken, memory_order_release);
}

void *os_alloc(size_t bytes, bool *locked)
{
	size_t size = (bytes + PAGE - 1) / PAGE * PAGE;
	unsigned char *memory = NULL;
	lock_arena();
	if (bytes <= size && size <= bare_machine.memory_bytes - arena.used) {
		memory = (unsigned char *)bare_machine.memory + arena.used;
		arena.used += size;
		arena.owners++;
	}
	unlock_arena();
	*locked = true; /* nothing could take it away */
	return memory ? memset(memory, 0, size) : NULL;
}

void os_free(void *memory, size_t bytes)
{
	(void)memory, (void)bytes;
	lock_arena();
	if (!--arena.owners)
		arena.used = 0;
	unlock_arena();
}

uint64_t os_memory_bytes(void)
{
	return bare_machine.memory_bytes;
}

/* From the timer itself: there is no second clock. */
uint64_t os_now_ns(void)
{
	return bare_counts_to_ns(timer_read(), bare_machine.timer_hz);
}

uint64_t os_wall_time_ns(void)
{
	return machine_wall_time_ns();
}

uint64_t os_clock_ns(void)
{
	return os_now_ns();
}

int os_sleep_until_ns(uint64_t clock_ns)
{
	while (os_clock_ns() < clock_ns)
		isa_relax();
	return 0;
}

void os_sleep_ns(uint64_t ns)
{
	os_sleep_until_ns(os_clock_ns() + ns);
}

void os_counters(unsigned strand, uint64_t values[COUNTER_COUNT])
{
	(void)strand; /* the calling one */
	for (unsigned i = 0; i < COUNTER_COUNT; i++)
		values[i] = COUNTER_UNKNOWN;
	values[COUNTER_TIMER_INTERRUPTS] = machine_ticks();
}
