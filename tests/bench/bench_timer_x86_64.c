/* The ways to read the time-stamp counter, behind the choice in asm/x86_64/timer_read.S: a line each with its name and the counts
 * that a read in a loop takes, the least of many batches. */
#include <stdint.h>
#include <stdio.h>

enum { BATCH = 10000, BATCHES = 50 };

#define WAY(name, code)                                                                                                \
	static uint64_t name(void)                                                                                     \
	{                                                                                                              \
		uint32_t low, high;                                                                                    \
		__asm__ volatile(code : "=a"(low), "=d"(high) : : "rcx", "memory");                                    \
		return (uint64_t)high << 32 | low;                                                                     \
	}

WAY(bare, "rdtsc")
WAY(fence_before, "lfence\n\trdtsc")
WAY(waiting, "rdtscp")
WAY(fences, "lfence\n\trdtsc\n\tlfence")
WAY(waiting_fence, "rdtscp\n\tlfence")

static double counts_a_read(uint64_t (*read)(void))
{
	uint64_t least = UINT64_MAX;
	for (unsigned i = 0; i < BATCHES; i++) {
		uint64_t begin = read();
		for (unsigned k = 0; k < BATCH; k++)
			read();
		uint64_t counts = read() - begin;
		least = counts < least ? counts : least;
	}
	return (double)least / BATCH;
}

int main(void)
{
	static const struct {
		const char *name;
		uint64_t (*read)(void);
	} ways[] = {
		{"rdtsc", bare},
		{"lfence;rdtsc", fence_before},
		{"rdtscp", waiting},
		{"lfence;rdtsc;lfence", fences},
		{"rdtscp;lfence", waiting_fence},
	};
	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
		printf("%s\t%.1f\n", ways[i].name, counts_a_read(ways[i].read));
	return 0;
}
