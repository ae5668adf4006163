#include "tests/unit/test.h"
#include <stdlib.h>
#include "harness/operand.h"
#include "harness/os/os.h"

void *os_alloc(size_t bytes, bool *locked)
{
	void *memory = NULL;
	*locked = true;
	return posix_memalign(&memory, 4096, bytes) ? NULL : memory;
}

void os_free(void *memory, size_t bytes)
{
	(void)bytes;
	free(memory);
}

static uint64_t memory_bytes = 8ull << 30;

uint64_t os_memory_bytes(void)
{
	return memory_bytes;
}

static const enum kernel_operand chases[] = {OPERAND_CHASE_L1, OPERAND_CHASE_L2, OPERAND_CHASE_L3, OPERAND_CHASE_MEM};

/* Each level's chase fits the level and exceeds the one before. */
static void footprints(void **state)
{
	static const struct topology machines[] = {
		{.l1d_bytes = 32 << 10, .l2_bytes = 512 << 10, .l3_bytes = 32 << 20},  /* Zen 3 */
		{.l1d_bytes = 48 << 10, .l2_bytes = 2 << 20, .l3_bytes = 30 << 20},    /* Golden Cove */
		{.l1d_bytes = 48 << 10, .l2_bytes = 1280 << 10, .l3_bytes = 54 << 20}, /* Ice Lake server */
		{.l1d_bytes = 32 << 10, .l2_bytes = 256 << 10, .l3_bytes = 6 << 20},   /* Haswell */
		{0},                                                                   /* nothing known */
	};
	(void)state;
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
		const struct topology *t = &machines[i];
		size_t bytes[4];
		for (unsigned k = 0; k < 4; k++)
			bytes[k] = operand_footprint(chases[k], t, memory_bytes);
		for (unsigned k = 1; k < 4; k++)
			assert_true(bytes[k] > bytes[k - 1]);
		if (!t->l1d_bytes)
			continue;
		assert_true(bytes[0] <= t->l1d_bytes);
		assert_true(bytes[1] > t->l1d_bytes && bytes[1] <= t->l2_bytes);
		assert_true(bytes[2] > t->l2_bytes && bytes[2] <= t->l3_bytes);
		assert_true(bytes[3] >= 2 * t->l3_bytes);
	}
	memory_bytes = 64 << 20;
	assert_int_equal(operand_footprint(OPERAND_CHASE_MEM, &machines[0], memory_bytes), 16 << 20);
	memory_bytes = 8ull << 30;
	assert_int_equal(operand_footprint(OPERAND_SCRATCH, &machines[0], memory_bytes), 0);
}

/* One cycle through every line, and no line twice. */
static void a_chase_visits_every_line_once(void **state)
{
	const struct topology t = {.l1d_bytes = 32 << 10};
	struct operand o;
	struct operand_view view;
	struct why why;
	(void)state;
	assert_int_equal(operand_build(&o, OPERAND_CHASE_L1, &t, &why), 0);
	assert_int_equal(o.bytes, 16 << 10);
	size_t lines = o.bytes / 64;
	void **cell = operand_view_init(&view, &o, 0);
	unsigned char *seen = calloc(lines, 1);
	for (size_t i = 0; i < lines; i++) {
		size_t line = (size_t)((unsigned char *)*cell - (unsigned char *)o.memory) / 64;
		assert_true(line < lines && !seen[line]);
		seen[line] = 1;
		*cell = *(void **)*cell;
	}
	assert_ptr_equal(*cell, o.start);
	operand_view_end(&(struct operand_view){.cell = (char *)o.memory + 64}, &o);
	assert_ptr_equal(*(void **)operand_view_init(&view, &o, 0), (char *)o.memory + 64);
	free(seen);
	operand_free(&o);
}

static void strands_start_apart(void **state)
{
	const struct topology t = {.l1d_bytes = 32 << 10, .l2_bytes = 512 << 10, .l3_bytes = 8 << 20};
	struct operand o;
	struct operand_view views[3];
	struct why why;
	(void)state;
	assert_int_equal(operand_build(&o, OPERAND_CHASE_L2, &t, &why), 0);
	for (unsigned i = 0; i < 3; i++)
		operand_view_init(&views[i], &o, i);
	assert_ptr_not_equal(views[0].cell, views[1].cell);
	assert_ptr_not_equal(views[1].cell, views[2].cell);
	operand_free(&o);
}

static void other_operands(void **state)
{
	const struct topology t = {0};
	struct operand o;
	struct operand_view view;
	struct why why;
	(void)state;
	assert_int_equal(operand_build(&o, OPERAND_NONE, &t, &why), 0);
	assert_null(operand_view_init(&view, &o, 0));
	assert_int_equal(operand_build(&o, OPERAND_SCRATCH, &t, &why), 0);
	assert_int_equal((uintptr_t)operand_view_init(&view, &o, 0) % 64, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(footprints),
		cmocka_unit_test(a_chase_visits_every_line_once),
		cmocka_unit_test(strands_start_apart),
		cmocka_unit_test(other_operands),
	};
	return cmocka_run_group_tests_name("operand", tests, NULL, NULL);
}
