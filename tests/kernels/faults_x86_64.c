/* What guard_x86_64.S must see: kernels that break a rule each. */
#include "tests/kernels/guard.h"

kernel_function spoils_registers, moves_stack, sets_direction, sets_x87_control, sets_mxcsr_control, raises_denormal;

const unsigned guard_inexact = 1 << 21;

const struct guard_fault guard_faults[] = {
	{"spoils_registers", spoils_registers, 0x3f},       {"moves_stack", moves_stack, 1 << 6},
	{"sets_direction", sets_direction, 1 << 7},         {"sets_x87_control", sets_x87_control, 1 << 8},
	{"sets_mxcsr_control", sets_mxcsr_control, 1 << 9}, {"raises_denormal", raises_denormal, 1 << 17},
};
const size_t guard_fault_count = sizeof guard_faults / sizeof *guard_faults;
