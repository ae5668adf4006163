/* The prototypes of what the program calls by other names than Linux's. Solaris's own are in ../include. */
#ifndef CMTNOISE_FAKE_SOLARIS_LIBC_H
#define CMTNOISE_FAKE_SOLARIS_LIBC_H

#include <poll.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

int fake_solaris_error(int here);

extern long __iob[20][16];
int *___errno(void);
char *solaris_strerror(int number);
unsigned long long solaris_strtoull(const char *text, char **end, int base);
int solaris_fprintf(const long (*iob)[16], const char *format, ...) __attribute__((format(printf, 2, 3)));
int solaris_fputc(int c, const long (*iob)[16]);
int solaris_fputs(const char *text, const long (*iob)[16]);
size_t solaris_fwrite(const void *bytes, size_t size, size_t count, const long (*iob)[16]);
int solaris_fflush(const long (*iob)[16]);
int solaris_open(const char *path, int flags, unsigned mode);
ssize_t solaris_read(int descriptor, void *bytes, size_t size);
ssize_t solaris_write(int descriptor, const void *bytes, size_t size);
int solaris_close(int descriptor);
int solaris_fsync(int descriptor);
int solaris_pipe(int *ends);
int solaris_poll(struct pollfd *set, unsigned long count, int timeout_ms);
int solaris_mkdir(const char *path, unsigned mode);
int solaris_rename(const char *from, const char *to);
ssize_t solaris_readlink(const char *path, char *target, size_t size);
int solaris_gethostname(char *name, int size);
pid_t solaris_waitpid(pid_t pid, int *status, int options);
void *solaris_mmap(void *address, size_t size, int protection, int flags, int descriptor, long offset);
int solaris_munmap(char *memory, size_t size);
int solaris_mlock(char *memory, size_t size);
long long gethrtime(void);
int solaris_clock_gettime(int clock, struct timespec *t);
int solaris_clock_nanosleep(int clock, int flags, const struct timespec *t, struct timespec *rest);
int solaris_nanosleep(const struct timespec *t, struct timespec *rest);
size_t strlcpy(char *to, const char *from, size_t size);

/* threads.c */
struct solaris_sigaction {
	int flags;
	void (*handler)(int);
	unsigned mask[4];
};
struct solaris_mutex {
	unsigned flags[2];
	unsigned long lock, data;
};
int solaris_sigaction(int number, const struct solaris_sigaction *action, struct solaris_sigaction *before);
int solaris_sigemptyset(unsigned *set);
int solaris_sigfillset(unsigned *set);
int solaris_pthread_sigmask(int how, const unsigned *set, unsigned *before);
int solaris_pthread_create(unsigned *thread, const void *attributes, void *(*fn)(void *), void *argument);
int solaris_pthread_join(unsigned thread, void **result);
int solaris_pthread_mutex_lock(struct solaris_mutex *mutex);
int solaris_pthread_mutex_unlock(struct solaris_mutex *mutex);
int solaris_sem_init(void *semaphore, int shared, unsigned value);
int solaris_sem_destroy(void *semaphore);
int solaris_sem_wait(void *semaphore);
int solaris_sem_post(void *semaphore);
int solaris_posix_spawn_file_actions_init(posix_spawn_file_actions_t **actions);
int solaris_posix_spawn_file_actions_destroy(posix_spawn_file_actions_t **actions);
int solaris_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t **actions, int from, int to);
int solaris_posix_spawnattr_init(posix_spawnattr_t **attributes);
int solaris_posix_spawnattr_destroy(posix_spawnattr_t **attributes);
int solaris_posix_spawnattr_setflags(posix_spawnattr_t **attributes, short flags);
int solaris_posix_spawnattr_setpgroup(posix_spawnattr_t **attributes, pid_t group);
int solaris_posix_spawnattr_setsigmask(posix_spawnattr_t **attributes, const unsigned *set);
int solaris_posix_spawn(pid_t *pid, const char *path, posix_spawn_file_actions_t *const *actions,
			posix_spawnattr_t *const *attributes, char *const *argv, char *const *environment);

#endif
