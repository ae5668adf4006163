/* Calls of Solaris's C library that are different in Linux's: numbers of errors, flags, clocks, and the streams. Named solaris_NAME;
 * ci/solaris.sh makes the program call them. */
#define _GNU_SOURCE
#include "tests/ports/solaris/fake/fake.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/ports/solaris/fake/libc.h"

/* Up to 34 they are the same (illumos sys/errno.h). */
static const struct {
	int solaris, here;
} errors[] = {{45, EDEADLK}, {48, ENOTSUP}, {71, EPROTO},    {78, ENAMETOOLONG}, {79, EOVERFLOW},
	      {89, ENOSYS},  {90, ELOOP},   {93, ENOTEMPTY}, {145, ETIMEDOUT}};

static __thread int solaris_errno;

int *___errno(void)
{
	return &solaris_errno;
}

void fake_fail(int number)
{
	solaris_errno = number;
}

int fake_solaris_error(int here)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].here == here)
			return errors[i].solaris;
	return here;
}

static long kept(long result)
{
	if (result == -1)
		solaris_errno = fake_solaris_error(errno);
	return result;
}

char *solaris_strerror(int number)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].solaris == number)
			return strerror(errors[i].here);
	return strerror(number);
}

unsigned long long solaris_strtoull(const char *text, char **end, int base)
{
	errno = 0;
	unsigned long long value = strtoull(text, end, base);
	if (errno)
		solaris_errno = errno;
	return value;
}

void fake_die(const char *sentence)
{
	fprintf(stderr, "fake solaris: %s\n", sentence);
	abort();
}

/* The machine's folder. */
static const char *in_folder(const char *name)
{
	static __thread char path[PATH_MAX];
	const char *folder = getenv("FAKE_SOLARIS");
	if (!folder)
		fake_die("FAKE_SOLARIS names no folder");
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

char *fake_file(const char *name)
{
	FILE *file = fopen(in_folder(name), "r");
	char *text = NULL;
	size_t size = 0;
	if (!file || getdelim(&text, &size, 0, file) < 0)
		fake_die("a file of the machine's folder cannot be read");
	fclose(file);
	return text;
}

void fake_log(const char *line)
{
	int descriptor = open(in_folder("log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	char text[200];
	int length = snprintf(text, sizeof text, "%.198s\n", line);
	if (descriptor < 0 || write(descriptor, text, (size_t)length) != length)
		fake_die("the log cannot be written");
	close(descriptor);
}

/* The streams: Solaris's are places in an array, 128 bytes each. */
long __iob[20][16];

static FILE *stream(const long (*iob)[16])
{
	return iob == &__iob[2] ? stderr : iob == &__iob[1] ? stdout : stdin;
}

int solaris_fprintf(const long (*iob)[16], const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int result = vfprintf(stream(iob), format, arguments);
	va_end(arguments);
	return result;
}

int solaris_fputc(int c, const long (*iob)[16])
{
	return fputc(c, stream(iob));
}

int solaris_fputs(const char *text, const long (*iob)[16])
{
	return fputs(text, stream(iob));
}

size_t solaris_fwrite(const void *bytes, size_t size, size_t count, const long (*iob)[16])
{
	return fwrite(bytes, size, count, stream(iob));
}

int solaris_fflush(const long (*iob)[16])
{
	return (int)kept(fflush(stream(iob)));
}

/* /proc/self/lwp/N/lwpusage, as a pipe with its bytes in it. */
static int open_usage(void)
{
	char bytes[1024];
	int ends[2];
	size_t size = fake_usage(bytes, sizeof bytes);
	if (pipe2(ends, O_CLOEXEC) || write(ends[1], bytes, size) != (ssize_t)size)
		fake_die("no pipe");
	close(ends[1]);
	return ends[0];
}

/* O_RDONLY 0, O_WRONLY 1, O_CREAT 0x100, O_TRUNC 0x200 (illumos sys/fcntl.h). */
int solaris_open(const char *path, int flags, unsigned mode)
{
	int here = (flags & 3) | (flags & 0x100 ? O_CREAT : 0) | (flags & 0x200 ? O_TRUNC : 0);
	if (flags & ~0x303)
		fake_die("open() with a flag that Solaris 10 has not, or that nobody has looked at");
	if (!strncmp(path, "/proc/self/lwp/", 15))
		return open_usage();
	return (int)kept(open(path, here, mode));
}

ssize_t solaris_read(int descriptor, void *bytes, size_t size)
{
	return kept(read(descriptor, bytes, size));
}

ssize_t solaris_write(int descriptor, const void *bytes, size_t size)
{
	return kept(write(descriptor, bytes, size));
}

int solaris_close(int descriptor)
{
	return (int)kept(close(descriptor));
}

int solaris_fsync(int descriptor)
{
	return (int)kept(fsync(descriptor));
}

int solaris_pipe(int *ends)
{
	return (int)kept(pipe(ends));
}

int solaris_poll(struct pollfd *set, unsigned long count, int timeout_ms)
{
	return (int)kept(poll(set, count, timeout_ms));
}

int solaris_mkdir(const char *path, unsigned mode)
{
	return (int)kept(mkdir(path, mode));
}

int solaris_rename(const char *from, const char *to)
{
	return (int)kept(rename(from, to));
}

ssize_t solaris_readlink(const char *path, char *target, size_t size)
{
	return kept(readlink(strcmp(path, "/proc/self/path/a.out") ? path : "/proc/self/exe", target, size));
}

int solaris_gethostname(char *name, int size)
{
	snprintf(name, (size_t)size, "%s", fake_text("nodename", "fake"));
	return 0;
}

pid_t solaris_waitpid(pid_t pid, int *status, int options)
{
	return (pid_t)kept(waitpid(pid, status, options));
}

/* MAP_PRIVATE 2, MAP_ANON 0x100, MAP_ALIGN 0x200: the address is the alignment. */
void *solaris_mmap(void *address, size_t size, int protection, int flags, int descriptor, long offset)
{
	size_t alignment = (size_t)address;
	if (flags != (2 | 0x100 | 0x200) || descriptor != -1 || offset)
		fake_die("mmap() otherwise than ever");
	unsigned char *memory = mmap(NULL, size + alignment, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		kept(-1);
		return memory;
	}
	size_t before = (alignment - (uintptr_t)memory % alignment) % alignment;
	if (before)
		munmap(memory, before);
	if (alignment - before)
		munmap(memory + before + (size + 4095) / 4096 * 4096, alignment - before);
	return memory + before;
}

int solaris_munmap(char *memory, size_t size)
{
	return (int)kept(munmap(memory, size));
}

int solaris_mlock(char *memory, size_t size)
{
	int error = fake_fault("mlock", "");
	(void)memory, (void)size;
	solaris_errno = error;
	return error ? -1 : 0;
}

/* Clocks: 3 is CLOCK_REALTIME, 4 CLOCK_HIGHRES, the clock that gethrtime() reads too (illumos sys/time_impl.h). */
uint64_t fake_now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

long long gethrtime(void)
{
	return (long long)fake_now_ns();
}

static clockid_t clock_here(int clock)
{
	if (clock != 3 && clock != 4)
		fake_die("a clock that nobody has looked at");
	return clock == 3 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

int solaris_clock_gettime(int clock, struct timespec *t)
{
	return (int)kept(clock_gettime(clock_here(clock), t));
}

int solaris_clock_nanosleep(int clock, int flags, const struct timespec *t, struct timespec *rest)
{
	return fake_solaris_error(clock_nanosleep(clock_here(clock), flags ? TIMER_ABSTIME : 0, t, rest));
}

int solaris_nanosleep(const struct timespec *t, struct timespec *rest)
{
	return (int)kept(nanosleep(t, rest));
}

/* Not in this machine's C library. */
size_t strlcpy(char *to, const char *from, size_t size)
{
	size_t length = strlen(from), copied = length < size ? length : size - 1;
	if (size) {
		memcpy(to, from, copied);
		to[copied] = 0;
	}
	return length;
}
