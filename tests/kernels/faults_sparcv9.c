/* What guard_sparcv9.S must see: kernels that break a rule each. */
#include "tests/kernels/guard.h"

kernel_function spoils_locals, spoils_ins, spoils_application_registers, moves_stack, leaves_a_window, rounds_to_zero,
	divides_by_zero;

const unsigned guard_inexact = 1 << 16;

const struct guard_fault guard_faults[] = {
	{"spoils_locals", spoils_locals, 0xff},
	{"spoils_ins", spoils_ins, 0x1f00},
	{"spoils_application_registers", spoils_application_registers, 1 << 14},
	{"moves_stack", moves_stack, 1 << 15},
	{"leaves_a_window", leaves_a_window, 1 << 15},
	{"rounds_to_zero", rounds_to_zero, 1 << 13},
	{"divides_by_zero", divides_by_zero, 2 << 16},
};
const size_t guard_fault_count = sizeof guard_faults / sizeof *guard_faults;
