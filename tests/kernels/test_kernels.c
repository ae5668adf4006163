/* Every kernel of this instruction set, run: what it must preserve, what it may touch, how far a chase goes. */
#include "asm/kernel.h"
#include "harness/kernels.h"
#include "tests/unit/test.h"
#include <stdio.h>
#include <stdlib.h>

unsigned guard_call(void (*kernel)(uint64_t, void *), uint64_t iterations, void *operand);

enum { LINKS = 1 << 12, CANARY = 64 };

/* What guard_call() returns: see the guard. Inexact results are ordinary; the other exceptions cost time. */
enum { RAISED_DENORMAL = 1 << 17, RAISED_INEXACT = 1 << 21 };

/* Kernels in blocks leave at another place each time: 56 and 192 are the numbers of blocks. */
static const uint64_t turns[] = {1, 2, 3, 55, 56, 57, 191, 192, 193, 1000};

/* A chase whose link n leads to link n + 1 modulo LINKS, so that the end tells how far it went. */
static void *chase[LINKS];

static void build_chase(void)
{
	for (size_t i = 0; i < LINKS; i++)
		chase[i] = &chase[(i + 1) % LINKS];
}

static bool is_chase(const struct kernel *kernel)
{
	return kernel->operand != OPERAND_NONE && kernel->operand != OPERAND_SCRATCH;
}

static void each_kernel(void (*check)(const struct kernel *kernel, uint64_t iterations))
{
	char feature[32];
	for (size_t i = 0; i < kernel_registry_count; i++) {
		if (kernel_lacks(&kernel_registry[i], feature, sizeof feature)) {
			print_message("%s is skipped: this CPU has no %s\n", kernel_registry[i].name, feature);
			continue;
		}
		for (size_t k = 0; k < sizeof turns / sizeof *turns; k++)
			check(&kernel_registry[i], turns[k]);
	}
}

static void check_preserved(const struct kernel *kernel, uint64_t iterations)
{
	static _Alignas(64) unsigned char memory[CANARY + KERNEL_SCRATCH_BYTES + CANARY];
	void *cell = chase;
	void *operand = kernel->operand == OPERAND_NONE ? NULL : is_chase(kernel) ? (void *)&cell : memory + CANARY;
	memset(memory, 0xa5, sizeof memory);
	memset(memory + CANARY, 0, KERNEL_SCRATCH_BYTES);

	unsigned faults = guard_call(kernel->run, iterations, operand) & ~RAISED_INEXACT;
	if (faults)
		fail_msg("%s, %llu turns: preserved registers changed %#x, exceptions raised %#x", kernel->name,
			 (unsigned long long)iterations, faults & 0xffff, faults >> 16);
	for (size_t i = 0; i < CANARY; i++)
		if (memory[i] != 0xa5 || memory[CANARY + KERNEL_SCRATCH_BYTES + i] != 0xa5)
			fail_msg("%s wrote outside its scratch memory", kernel->name);
}

static void check_chase(const struct kernel *kernel, uint64_t iterations)
{
	void *cell = chase;
	if (!is_chase(kernel))
		return;
	kernel->run(iterations, &cell);
	size_t went = (size_t)((void **)cell - chase);
	assert_int_equal(went, iterations * kernel->ops_per_iteration % LINKS);
}

static void kernels_preserve_what_they_must(void **state)
{
	(void)state;
	each_kernel(check_preserved);
}

static void a_chase_goes_as_far_as_it_says(void **state)
{
	(void)state;
	build_chase();
	each_kernel(check_chase);
}

/* Kernels that break a rule each, beside the guard. */
void spoils_registers(uint64_t iterations, void *operand);
void moves_stack(uint64_t iterations, void *operand);
void sets_direction(uint64_t iterations, void *operand);
void sets_x87_control(uint64_t iterations, void *operand);
void sets_mxcsr_control(uint64_t iterations, void *operand);
void raises_denormal(uint64_t iterations, void *operand);

static void the_guard_sees_faults(void **state)
{
	(void)state;
	assert_int_equal(guard_call(spoils_registers, 1, NULL), 0x3f);
	assert_int_equal(guard_call(moves_stack, 1, NULL), 1 << 6);
	assert_int_equal(guard_call(sets_direction, 1, NULL), 1 << 7);
	assert_int_equal(guard_call(sets_x87_control, 1, NULL), 1 << 8);
	assert_int_equal(guard_call(sets_mxcsr_control, 1, NULL), 1 << 9);
	assert_int_equal(guard_call(raises_denormal, 1, NULL), RAISED_DENORMAL);
}

static void the_registry_is_in_order(void **state)
{
	(void)state;
	assert_true(kernel_registry_count > 0);
	for (size_t i = 1; i < kernel_registry_count; i++)
		assert_true(strcmp(kernel_registry[i - 1].name, kernel_registry[i].name) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_guard_sees_faults),
		cmocka_unit_test(kernels_preserve_what_they_must),
		cmocka_unit_test(a_chase_goes_as_far_as_it_says),
		cmocka_unit_test(the_registry_is_in_order),
	};
	build_chase();
	return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}
