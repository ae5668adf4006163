#include "harness/measure.h"
#include "asm/isa.h"

void measure(const struct kernel *kernel, uint64_t iterations, void *operand, uint64_t *stamps, uint64_t repetitions)
{
	void (*run)(uint64_t, void *) = kernel->run;

	*stamps = timer_read();
	for (uint64_t *end = stamps + repetitions; stamps != end;) {
		run(iterations, operand);
		*++stamps = timer_read();
	}
}
