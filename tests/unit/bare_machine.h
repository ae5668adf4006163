/* A machine for the static-thread runtime, on the host: a process, whose threads are the strands; its console is a buffer. */
#ifndef CMTNOISE_BARE_MACHINE_TEST_H
#define CMTNOISE_BARE_MACHINE_TEST_H

/* clang-format off: cmocka.h wants its headers first */
#include "tests/unit/test.h"
/* clang-format on */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "asm/isa.h"
#include "domains/bare/bare.h"
#include "domains/bare/crc32.h"

enum { STRANDS = 32, NOBODY = 99 };

struct fake {
	unsigned boot, refuses; /* strand that boots; strand that cannot be started */
	char console[1 << 20];
	size_t length;
	void *stacks[STRANDS]; /* as handed to machine_start() */
	unsigned started[STRANDS], start_count;
	bool failed;
};

static struct fake *fake; /* shared with the process that plays the machine */

static _Thread_local unsigned here;

const char machine_name[] = "fake";

const char *machine_begin(struct machine *m, uint64_t timer_hz)
{
	static _Alignas(4096) unsigned char memory[1 << 20];
	*m = (struct machine){.cpu = "none",
			      .hypervisor = "",
			      .label = "modelled",
			      .entered = "test",
			      .timer_hz = timer_hz,
			      .timer_hz_source = "built in",
			      .memory = memory,
			      .memory_bytes = sizeof memory,
			      .l1d_bytes = 8192};
	return NULL;
}

void machine_write(const char *bytes, size_t count)
{
	if (fake->length + count >= sizeof fake->console)
		abort();
	memcpy(fake->console + fake->length, bytes, count);
	fake->length += count;
	fake->console[fake->length] = 0;
}

unsigned machine_strand(void)
{
	return here;
}

void machine_place(unsigned strand, unsigned *core, unsigned *package)
{
	*core = strand / 4;
	*package = 0;
}

bool machine_has(const char *feature)
{
	(void)feature;
	return false;
}

static void *begin_strand(void *argument)
{
	here = (unsigned)(uintptr_t)argument;
	bare_strand();
}

bool machine_start(unsigned strand, void *stack_top)
{
	pthread_t thread;
	if (strand == fake->refuses)
		return false;
	fake->stacks[strand] = stack_top;
	fake->started[fake->start_count++] = strand;
	return !pthread_create(&thread, NULL, begin_strand, (void *)(uintptr_t)strand);
}

void machine_park(void)
{
	pthread_exit(NULL);
}

void machine_end(bool failed)
{
	fake->failed = failed;
	_exit(0);
}

bool machine_tick_start(uint64_t hz, uint64_t path)
{
	(void)hz, (void)path;
	return false;
}

void machine_tick_stop(void)
{
}

uint64_t machine_ticks(void)
{
	return 0;
}

uint64_t machine_wall_time_ns(void)
{
	return 1704067200000000000; /* 2024-01-01 */
}

/* Runs the whole runtime; what it wrote is in fake->console. */
static inline void boot(unsigned boot_strand, unsigned refuses)
{
	int status;
	if (!fake)
		fake = mmap(NULL, sizeof *fake, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(fake, MAP_FAILED);
	memset(fake, 0, sizeof *fake);
	fake->boot = boot_strand;
	fake->refuses = refuses;
	pid_t machine = fork();
	assert_true(machine >= 0);
	if (!machine) {
		here = boot_strand;
		bare_boot();
	}
	assert_int_equal(waitpid(machine, &status, 0), machine);
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
}

/* The start of the next line that begins with this, NULL for none. */
static inline const char *next_line(const char *from, const char *begin)
{
	while (from) {
		if (!strncmp(from, begin, strlen(begin)))
			return from;
		from = strchr(from, '\n');
		from = from ? from + 1 : NULL;
	}
	return NULL;
}

static inline size_t count_lines(const char *begin)
{
	size_t count = 0;
	for (const char *line = next_line(fake->console, begin); line; line = next_line(line + 1, begin))
		count++;
	return count;
}

/* Every record as announced: its strand and kernel, its length, its sum. */
static inline void check_records(void)
{
	const char *line = fake->console;
	while ((line = next_line(line, "@record: "))) {
		char kernel[32];
		unsigned strand, sum;
		size_t bytes;
		assert_int_equal(sscanf(line, "@record: %u %31s %zu %x\n", &strand, kernel, &bytes, &sum), 4);
		line = strchr(line, '\n') + 1;
		assert_true(!strncmp(line, "# record_version: 1\n", 20));
		assert_int_equal(crc32_update(0, line, bytes), sum);
		line += bytes;
		assert_true(line[-1] == '\n' && line[0] == '@');
	}
}

#endif
