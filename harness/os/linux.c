/* Linux: threads on strands, memory, clocks, counters and the strands that may be used. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "harness/os/linux-affinity.h"
#include "harness/os/linux-files.h"
#include "harness/os/os.h"
#include "harness/why.h"

const char os_name[] = "linux";

enum { REALTIME_PRIORITY = 80 }; /* above application threads, below the kernel's own watchdogs and migration threads */

static const uint64_t SECOND_NS = 1000000000;

struct os_thread {
	pthread_t id;
	sem_t ended; /* a semaphore, since a signal breaks off its wait and not pthread_join's */
	void (*fn)(void *argument);
	void *argument;
};

static void *run_thread(void *argument)
{
	struct os_thread *thread = argument;
	thread->fn(thread->argument);
	sem_post(&thread->ended);
	return NULL;
}

/* Signals are for the thread that waits: a handler on the measuring strand would be noise. */
static int create_without_signals(struct os_thread *t, const pthread_attr_t *attributes)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&t->id, attributes, run_thread, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

int os_start(struct os_thread **thread, unsigned strand, void (*fn)(void *argument), void *argument)
{
	size_t size;
	cpu_set_t *set = linux_single_strand(strand, &size);
	struct os_thread *t = malloc(sizeof *t);
	pthread_attr_t attributes;
	int error = ENOMEM;

	if (!set || !t || pthread_attr_init(&attributes))
		goto out;
	*t = (struct os_thread){.fn = fn, .argument = argument};
	sem_init(&t->ended, 0, 0);
	error = pthread_attr_setaffinity_np(&attributes, size, set);
	if (!error)
		error = create_without_signals(t, &attributes);
	pthread_attr_destroy(&attributes);
out:
	CPU_FREE(set);
	if (error)
		free(t);
	else
		*thread = t;
	return -error;
}

int os_join(struct os_thread *thread)
{
	if (sem_wait(&thread->ended))
		return -errno;
	pthread_join(thread->id, NULL);
	sem_destroy(&thread->ended);
	free(thread);
	return 0;
}

uint64_t os_thread_id(void)
{
	return (uint64_t)gettid();
}

int os_where(unsigned *strand, bool *bound)
{
	unsigned here;
	size_t size;
	cpu_set_t *set = linux_affinity(&size);
	if (!set)
		return -errno;
	int error = getcpu(&here, NULL) ? -errno : 0;
	*strand = here;
	*bound = CPU_COUNT_S(size, set) == 1 && CPU_ISSET_S(here, size, set);
	CPU_FREE(set);
	return error;
}

int os_realtime(const char **name, struct why *why)
{
	char runtime[32];
	struct sched_param parameters = {.sched_priority = REALTIME_PRIORITY};

	if (sched_setscheduler(0, SCHED_FIFO, &parameters))
		return why_set(why, -errno, "%s: run as root, or allow it with ulimit -r %d or setcap cap_sys_nice+ep",
			       strerror(errno), REALTIME_PRIORITY);
	*name = "fifo 80";
	if (linux_read("/proc/sys/kernel/sched_rt_runtime_us", runtime, sizeof runtime) > 0 && strcmp(runtime, "-1"))
		why_set(why, 0,
			"real-time throttling is on: it can stop the strand for tens of milliseconds in each "
			"second (sched_rt_runtime_us is %s); sysctl -w kernel.sched_rt_runtime_us=-1 ends that",
			runtime);
	return 0;
}

/* From this size on, memory comes in huge pages where the OS gives them: a chase is to miss caches, not TLBs, and within one
 * huge page it lies in the caches' sets evenly. Anything smaller is a few pages anyway. */
static const size_t HUGE_FROM = 64 << 10, HUGE_PAGE = 2 << 20;

static size_t mapped_size(size_t bytes)
{
	return bytes < HUGE_FROM ? bytes : (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* A mapping whose start is aligned to a huge page: more is mapped, and the ends are given back. */
static void *map_aligned(size_t size)
{
	unsigned char *memory =
		mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	size_t before = (HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE;
	if (before)
		munmap(memory, before);
	munmap(memory + before + size, HUGE_PAGE - before);
	madvise(memory + before, size, MADV_HUGEPAGE);
	return memory + before;
}

void *os_alloc(size_t bytes, bool *locked)
{
	size_t size = mapped_size(bytes), page = (size_t)sysconf(_SC_PAGESIZE);
	volatile unsigned char *memory = map_aligned(size);
	if (!memory)
		return NULL;
	*locked = !mlock((void *)memory, size);
	/* Written, not only read: a read would map the shared zero page. */
	for (size_t at = 0; at < bytes; at += page)
		memory[at] = 0;
	return (void *)memory;
}

void os_free(void *memory, size_t bytes)
{
	munmap(memory, mapped_size(bytes));
}

uint64_t os_memory_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

uint64_t os_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC_RAW);
}

uint64_t os_wall_time_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

uint64_t os_clock_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / SECOND_NS), .tv_nsec = (long)(ns % SECOND_NS)};
}

int os_sleep_until_ns(uint64_t clock_ns)
{
	struct timespec t = timespec_of(clock_ns);
	int error;
	do
		error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	while (error == EINTR);
	return -error;
}

void os_sleep_ns(uint64_t ns)
{
	struct timespec t = timespec_of(ns);
	while (nanosleep(&t, &t) && errno == EINTR)
		;
}
