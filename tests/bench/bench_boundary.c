/* What a boundary between two repetitions costs: the measuring loop around a kernel that returns at once, against the bare
 * timer read. Prints two numbers, counts a read and counts a boundary: the least of many batches each, taken in turn so that a change
 * of clock frequency meets both. */
#include <stdio.h>
#include "asm/isa.h"
#include "harness/measure.h"

enum { BATCH = 1000, BATCHES = 2000 };

static void nothing(uint64_t iterations, void *operand)
{
	(void)iterations;
	(void)operand;
}

static uint64_t reads(void)
{
	uint64_t begin = timer_read();
	for (unsigned i = 1; i < BATCH; i++)
		timer_read();
	return timer_read() - begin;
}

int main(void)
{
	static uint64_t stamps[BATCH + 1];
	const struct kernel kernel = {.name = "nothing", .run = nothing};
	uint64_t read = UINT64_MAX, boundary = UINT64_MAX;

	for (unsigned i = 0; i < BATCHES; i++) {
		uint64_t counts = reads();
		read = counts < read ? counts : read;
		measure(&kernel, 1, NULL, stamps, BATCH);
		counts = stamps[BATCH] - stamps[0];
		boundary = counts < boundary ? counts : boundary;
	}
	printf("%.2f %.2f\n", (double)read / BATCH, (double)boundary / BATCH);
	return 0;
}
