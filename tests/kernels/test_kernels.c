/* Every kernel of this instruction set, run: what it must preserve, what it may touch, what it computes, how far a chase goes. */
#include "asm/isa.h"
#include "asm/kernel.h"
#include "harness/kernels.h"
#include "tests/kernels/guard.h"
#include "tests/unit/test.h"
#include <stdio.h>
#include <stdlib.h>

enum { LINKS = 1 << 12, CANARY = 64 };

/* Kernels in blocks leave at another place each time: 56, 96 and 192 are the numbers of blocks. */
static const uint64_t turns[] = {1, 2, 3, 55, 56, 57, 95, 96, 97, 191, 192, 193, 1000};

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

	/* Inexact results are ordinary; the other exceptions cost time. */
	unsigned faults = guard_call(kernel->run, iterations, operand) & ~guard_inexact;
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

/* What no register and no memory shows afterwards: that the bodies hold what they say is proved by disassembly. */
static bool leaves_nothing(const struct kernel *kernel)
{
	static const char *const names[] = {"branch_not_taken", "branch_taken", "btb",   "call", "fence",
					    "ifetch",           "nop",          "window"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(kernel->name, names[i]))
			return true;
	return false;
}

static const struct model *model_of(const struct kernel *kernel)
{
	for (size_t i = 0; i < model_count; i++)
		if (!strcmp(models[i].kernel, kernel->name))
			return &models[i];
	return NULL;
}

static void compare(const struct kernel *kernel, uint64_t iterations, uint64_t memory_before)
{
	enum { BEFORE = 0x155 };
	static _Alignas(64) uint64_t memory[KERNEL_SCRATCH_BYTES / 8];
	const struct model *m = model_of(kernel);
	struct model_run run = {iterations, iterations * kernel->ops_per_iteration, BEFORE, memory_before};
	uint64_t integer = m->integer ? m->integer(&run) : 0;
	double real = m->real ? m->real(&run) : 0;

	memory[0] = memory_before;
	guard_integer = BEFORE;
	guard_call(kernel->run, iterations, memory);
	if (m->integer && guard_integer != integer)
		fail_msg("%s, %llu turns: %#llx where %#llx is due", kernel->name, (unsigned long long)iterations,
			 (unsigned long long)guard_integer, (unsigned long long)integer);
	if (m->real && memcmp(&guard_double, &real, sizeof real))
		fail_msg("%s, %llu turns: %a where %a is due", kernel->name, (unsigned long long)iterations,
			 guard_double, real);
	if (kernel->operand == OPERAND_SCRATCH && memory[0] != run.memory)
		fail_msg("%s, %llu turns: memory holds %#llx where %#llx is due", kernel->name,
			 (unsigned long long)iterations, (unsigned long long)memory[0], (unsigned long long)run.memory);
}

static void check_results(const struct kernel *kernel, uint64_t iterations)
{
	if (!model_of(kernel))
		return;
	compare(kernel, iterations, 0);
	compare(kernel, iterations, 0x5a5a5a5a5a5a5a5a);
}

/* Stores reach each of their places and no other. */
static void check_stores(const struct kernel *kernel, uint64_t iterations)
{
	static _Alignas(64) uint64_t memory[KERNEL_SCRATCH_BYTES / 8];
	if (strcmp(kernel->name, "store_l1"))
		return;
	memset(memory, 0, sizeof memory);
	guard_integer = 0x155; /* or what is stored is the kernel's own; zero would not show */
	guard_call(kernel->run, iterations, memory);
	for (unsigned i = 0; i < kernel->ops_per_iteration; i++)
		assert_true(memory[i] == memory[0] && memory[0] != 0);
	for (unsigned i = kernel->ops_per_iteration; i < KERNEL_SCRATCH_BYTES / 8; i++)
		assert_true(memory[i] == 0);
}

/* The last read lies between two of our own. The lower 32 bits: x86 leaves the others in another register. */
static void check_timer(const struct kernel *kernel, uint64_t iterations)
{
	if (strcmp(kernel->name, "timer"))
		return;
	uint32_t before = (uint32_t)timer_read();
	guard_call(kernel->run, iterations, NULL);
	uint32_t after = (uint32_t)timer_read();
	assert_true((uint32_t)guard_integer - before <= after - before);
}

static void kernels_compute_what_they_say(void **state)
{
	(void)state;
	each_kernel(check_results);
	each_kernel(check_stores);
	each_kernel(check_timer);
}

static void every_kernel_is_checked(void **state)
{
	(void)state;
	for (size_t i = 0; i < kernel_registry_count; i++) {
		const struct kernel *k = &kernel_registry[i];
		bool own_check = is_chase(k) || !strcmp(k->name, "store_l1") || !strcmp(k->name, "timer");
		if (own_check + leaves_nothing(k) + (model_of(k) != NULL) != 1)
			fail_msg("%s: what it leaves behind is to be modelled, or told of as nothing", k->name);
	}
	for (size_t i = 0; i < model_count; i++)
		assert_non_null(kernel_find(models[i].kernel, strlen(models[i].kernel)));
}

static void the_guard_sees_faults(void **state)
{
	(void)state;
	for (size_t i = 0; i < guard_fault_count; i++)
		if (guard_call(guard_faults[i].kernel, 1, NULL) != guard_faults[i].seen)
			fail_msg("%s was not seen", guard_faults[i].name);
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
		cmocka_unit_test(the_guard_sees_faults),         cmocka_unit_test(kernels_preserve_what_they_must),
		cmocka_unit_test(kernels_compute_what_they_say), cmocka_unit_test(a_chase_goes_as_far_as_it_says),
		cmocka_unit_test(the_registry_is_in_order),      cmocka_unit_test(every_kernel_is_checked),
	};
	build_chase();
	return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}
