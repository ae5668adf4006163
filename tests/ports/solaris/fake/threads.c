/* Threads, semaphores, signals and starting programs: Solaris's calls on Linux's. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include "asm/isa.h"
#include "tests/ports/solaris/fake/fake.h"
#include "tests/ports/solaris/fake/libc.h"

enum { THREADS_MOST = 4096 };

static pthread_t threads[THREADS_MOST]; /* a thread's number is its place */
static atomic_uint thread_count = 2;
static pthread_mutex_t machine_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; /* reading one file asks for another */

void fake_lock(void)
{
	pthread_mutex_lock(&machine_lock);
}

void fake_unlock(void)
{
	pthread_mutex_unlock(&machine_lock);
}

int solaris_pthread_create(unsigned *thread, const void *attributes, void *(*fn)(void *), void *argument)
{
	unsigned number = thread_count++;
	if (attributes || number >= THREADS_MOST)
		fake_die("too many threads, or with attributes");
	*thread = number;
	return fake_solaris_error(pthread_create(&threads[number], NULL, fn, argument));
}

int solaris_pthread_join(unsigned thread, void **result)
{
	return fake_solaris_error(pthread_join(threads[thread], result));
}

/* Half the size of Linux's: a lock of this program's own lies in it. */
int solaris_pthread_mutex_lock(struct solaris_mutex *mutex)
{
	while (__atomic_exchange_n(&mutex->lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
	return 0;
}

int solaris_pthread_mutex_unlock(struct solaris_mutex *mutex)
{
	__atomic_store_n(&mutex->lock, 0, __ATOMIC_RELEASE);
	return 0;
}

/* In the place of the instruction set's own: strands of the fake share this machine's few, and one that waits for another has to let it
 * run. A sleep does, also where other programs want the CPU; a yield would wait for those. */
void isa_relax(void)
{
	struct timespec shortest = {0, 1};
	nanosleep(&shortest, NULL);
}

/* 48 bytes there, 32 here: Linux's lies in Solaris's. */
_Static_assert(sizeof(sem_t) <= 48, "a semaphore does not fit");

static int kept(int result)
{
	if (result == -1)
		fake_fail(fake_solaris_error(errno));
	return result;
}

int solaris_sem_init(void *semaphore, int shared, unsigned value)
{
	return kept(sem_init(semaphore, shared, value));
}

int solaris_sem_destroy(void *semaphore)
{
	return kept(sem_destroy(semaphore));
}

int solaris_sem_wait(void *semaphore)
{
	return kept(sem_wait(semaphore));
}

int solaris_sem_post(void *semaphore)
{
	return kept(sem_post(semaphore));
}

/* Sets are all or nothing here. */
static const sigset_t *set_here(const unsigned *set)
{
	static __thread sigset_t here;
	if (set[0])
		sigfillset(&here);
	else
		sigemptyset(&here);
	return &here;
}

int solaris_sigemptyset(unsigned *set)
{
	set[0] = set[1] = set[2] = set[3] = 0;
	return 0;
}

int solaris_sigfillset(unsigned *set)
{
	set[0] = set[1] = set[2] = set[3] = ~0u;
	return 0;
}

int solaris_pthread_sigmask(int how, const unsigned *set, unsigned *before)
{
	sigset_t old;
	if (how != 3)
		fake_die("pthread_sigmask() otherwise than to set");
	int error = pthread_sigmask(SIG_SETMASK, set_here(set), &old);
	if (before)
		sigismember(&old, SIGINT) ? solaris_sigfillset(before) : solaris_sigemptyset(before);
	return error;
}

int solaris_sigaction(int number, const struct solaris_sigaction *action, struct solaris_sigaction *before)
{
	struct sigaction here = {.sa_handler = action->handler};
	if (action->flags || before || (number != 2 && number != 15))
		fake_die("sigaction() otherwise than ever");
	return kept(sigaction(number, &here, NULL));
}

int solaris_posix_spawn_file_actions_init(posix_spawn_file_actions_t **actions)
{
	*actions = malloc(sizeof **actions);
	return posix_spawn_file_actions_init(*actions);
}

int solaris_posix_spawn_file_actions_destroy(posix_spawn_file_actions_t **actions)
{
	posix_spawn_file_actions_destroy(*actions);
	free(*actions);
	return 0;
}

int solaris_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t **actions, int from, int to)
{
	return posix_spawn_file_actions_adddup2(*actions, from, to);
}

int solaris_posix_spawnattr_init(posix_spawnattr_t **attributes)
{
	*attributes = malloc(sizeof **attributes);
	return posix_spawnattr_init(*attributes);
}

int solaris_posix_spawnattr_destroy(posix_spawnattr_t **attributes)
{
	posix_spawnattr_destroy(*attributes);
	free(*attributes);
	return 0;
}

/* POSIX_SPAWN_SETPGROUP and POSIX_SPAWN_SETSIGMASK are 2 and 8 in both. */
int solaris_posix_spawnattr_setflags(posix_spawnattr_t **attributes, short flags)
{
	return posix_spawnattr_setflags(*attributes, flags);
}

int solaris_posix_spawnattr_setpgroup(posix_spawnattr_t **attributes, pid_t group)
{
	return posix_spawnattr_setpgroup(*attributes, group);
}

int solaris_posix_spawnattr_setsigmask(posix_spawnattr_t **attributes, const unsigned *set)
{
	return posix_spawnattr_setsigmask(*attributes, set_here(set));
}

int solaris_posix_spawn(pid_t *pid, const char *path, posix_spawn_file_actions_t *const *actions,
			posix_spawnattr_t *const *attributes, char *const *argv, char *const *environment)
{
	return fake_solaris_error(posix_spawn(pid, path, *actions, *attributes, argv, environment));
}
