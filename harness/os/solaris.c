/* Solaris 10 and 11, illumos: threads on strands, memory, clocks. No stdio here nor in the files beside it: FILE is the one type of the C
 * library that a test cannot stand in for without its insides. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/lwp.h>
#include <sys/mman.h>
#include <sys/processor.h>
#include <sys/procset.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include "harness/os/os.h"

const char os_name[] = "solaris";

static const uint64_t SECOND_NS = 1000000000;

struct os_thread {
	pthread_t id;
	sem_t bound, ended; /* semaphores, since a signal breaks off their wait and not pthread_join's */
	unsigned strand;
	int error; /* of binding; fn was not called then */
	void (*fn)(void *argument);
	void *argument;
};

/* A thread is bound by itself: P_MYID is certain, and the call comes back on the CPU it names. PBIND_QUERY then says what the OS
 * made of it. */
static int bind_to(unsigned strand)
{
	processorid_t bound = PBIND_NONE;
	if (processor_bind(P_LWPID, P_MYID, (processorid_t)strand, NULL))
		return -errno;
	if (processor_bind(P_LWPID, P_MYID, PBIND_QUERY, &bound))
		return -errno;
	return bound == (processorid_t)strand ? 0 : -EXDEV;
}

static void *run_thread(void *argument)
{
	struct os_thread *thread = argument;
	int error = thread->error = bind_to(thread->strand);
	sem_post(&thread->bound);
	if (!error) {
		thread->fn(thread->argument);
		sem_post(&thread->ended);
	}
	return NULL;
}

/* Signals are for the thread that waits: a handler on the measuring strand would be noise. */
static int create_without_signals(struct os_thread *t)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&t->id, NULL, run_thread, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static void destroy(struct os_thread *t)
{
	pthread_join(t->id, NULL);
	sem_destroy(&t->bound);
	sem_destroy(&t->ended);
	free(t);
}

int os_start(struct os_thread **thread, unsigned strand, void (*fn)(void *argument), void *argument)
{
	struct os_thread *t = calloc(1, sizeof *t);
	if (!t)
		return -ENOMEM;
	t->strand = strand;
	t->fn = fn;
	t->argument = argument;
	sem_init(&t->bound, 0, 0);
	sem_init(&t->ended, 0, 0);
	int error = create_without_signals(t);
	if (error) {
		free(t);
		return -error;
	}
	while (sem_wait(&t->bound) && errno == EINTR)
		;
	error = t->error;
	if (error)
		destroy(t);
	else
		*thread = t;
	return error;
}

int os_join(struct os_thread *thread)
{
	if (sem_wait(&thread->ended))
		return -errno;
	destroy(thread);
	return 0;
}

uint64_t os_thread_id(void)
{
	return (uint64_t)_lwp_self();
}

int os_where(unsigned *strand, bool *bound)
{
	processorid_t here = getcpuid(), to = PBIND_NONE;
	if (processor_bind(P_LWPID, P_MYID, PBIND_QUERY, &to))
		return -errno;
	*strand = (unsigned)here;
	*bound = to == here;
	return 0;
}

/* From this size on, memory comes in large pages where the OS has them: a chase is to miss caches, not TLBs. 4 MB is a page size of
 * the T-series; 2 MB of x86, whose pages then lie in pairs. */
static const size_t LARGE_FROM = 64 << 10, LARGE_PAGE = 4 << 20;

static size_t mapped_size(size_t bytes)
{
	return bytes < LARGE_FROM ? bytes : (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

/* Advice alone: without large pages the memory is as good for all but the largest operands. */
static void advise_large_pages(void *memory, size_t size)
{
	struct memcntl_mha advice = {MHA_MAPSIZE_VA, 0, LARGE_PAGE};
	if (size < LARGE_FROM)
		return;
	if (!memcntl(memory, size, MC_HAT_ADVISE, (caddr_t)&advice, 0, 0))
		return;
	advice.mha_pagesize = LARGE_PAGE / 2;
	memcntl(memory, size, MC_HAT_ADVISE, (caddr_t)&advice, 0, 0);
}

void *os_alloc(size_t bytes, bool *locked)
{
	size_t size = mapped_size(bytes), page = (size_t)sysconf(_SC_PAGESIZE);
	/* With MAP_ALIGN the address is the alignment (mmap(2)). */
	void *mapped =
		mmap((void *)LARGE_PAGE, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_ALIGN, -1, 0);
	if (mapped == MAP_FAILED)
		return NULL;
	volatile unsigned char *memory = mapped;
	advise_large_pages(mapped, size);
	*locked = !mlock(mapped, size);
	for (size_t at = 0; at < bytes; at += page)
		memory[at] = 0;
	return mapped;
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

/* gethrtime(3C): monotonic and never slewed, read without a system call. */
uint64_t os_now_ns(void)
{
	return (uint64_t)gethrtime();
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

uint64_t os_wall_time_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

uint64_t os_clock_ns(void)
{
	return clock_ns(CLOCK_HIGHRES);
}

static struct timespec timespec_of(uint64_t ns)
{
	struct timespec t;
	t.tv_sec = (time_t)(ns / SECOND_NS);
	t.tv_nsec = (long)(ns % SECOND_NS);
	return t;
}

int os_sleep_until_ns(uint64_t clock_ns)
{
	struct timespec t = timespec_of(clock_ns);
	int error;
	do
		error = clock_nanosleep(CLOCK_HIGHRES, TIMER_ABSTIME, &t, NULL);
	while (error == EINTR);
	return -error;
}

void os_sleep_ns(uint64_t ns)
{
	struct timespec t = timespec_of(ns);
	while (nanosleep(&t, &t) && errno == EINTR)
		;
}
