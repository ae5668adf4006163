/* Interrupt descriptors, the task segment that a double fault's stack needs, and what becomes of an exception. */
#include "domains/bare/pc/pc.h"
#include <stdio.h>

enum { CODE64 = 8, TASK_SELECTOR = 0x20, PRESENT_GATE = 0x8e, DOUBLE_FAULT = 8, PAGE_FAULT = 14, GS_BASE = 0xc0000101 };

extern const uint64_t pc_vectors[256];
extern uint64_t pc_task_descriptor[2];
_Noreturn void pc_fault(uint64_t vector, uint64_t error, uint64_t pc);

struct gate {
	uint16_t address_low, selector;
	uint8_t stack, type;
	uint16_t address_middle;
	uint32_t address_high, zero;
};

struct __attribute__((packed)) task {
	uint32_t zero;
	uint64_t privilege_stacks[3], zero2, interrupt_stacks[7], zero3;
	uint16_t zero4, permissions;
};

struct __attribute__((packed)) table_pointer {
	uint16_t limit;
	uint64_t base;
};

static struct gate gates[256];
static struct task task;
/* Of all strands: a double fault ends everything, and its report is the last thing that runs. */
static _Alignas(16) unsigned char emergency_stack[8192];
static struct pc_strand strands[PC_STRANDS + 1]; /* the last: a boot strand with a higher id than threads can have */

static void fill_gates(void)
{
	for (unsigned i = 0; i < 256; i++)
		gates[i] = (struct gate){.address_low = (uint16_t)pc_vectors[i],
					 .selector = CODE64,
					 .stack = i == DOUBLE_FAULT,
					 .type = PRESENT_GATE,
					 .address_middle = (uint16_t)(pc_vectors[i] >> 16),
					 .address_high = (uint32_t)(pc_vectors[i] >> 32)};
}

/* One task segment for all: nothing is ever switched to it, and loading marks it busy, which is undone each time. */
static void load_task(void)
{
	uint64_t base = (uintptr_t)&task;
	task.interrupt_stacks[0] = (uintptr_t)(emergency_stack + sizeof emergency_stack);
	task.permissions = sizeof task;
	pc_task_descriptor[0] =
		(sizeof task - 1) | (base & 0xffffff) << 16 | (uint64_t)0x89 << 40 | (base >> 24 & 0xff) << 56;
	pc_task_descriptor[1] = base >> 32;
	__asm__ volatile("ltr %0" ::"r"((uint16_t)TASK_SELECTOR) : "memory");
}

void pc_set_up_strand(void)
{
	struct table_pointer pointer = {sizeof gates - 1, (uintptr_t)gates};
	apic_enable();
	unsigned id = apic_id();
	struct pc_strand *here = &strands[id < PC_STRANDS ? id : PC_STRANDS];
	*here = (struct pc_strand){.id = id, .x2apic = apic_is_x2()};
	msr_write(GS_BASE, (uintptr_t)here);
	if (!gates[0].selector)
		fill_gates();
	__asm__ volatile("lidt %0" ::"m"(pointer));
	load_task();
}

struct pc_strand *pc_here(void)
{
	return (void *)(uintptr_t)msr_read(GS_BASE);
}

void pc_fault(uint64_t vector, uint64_t error, uint64_t pc)
{
	static const char *const names[32] = {
		"divide error",
		"debug",
		"non-maskable interrupt",
		"breakpoint",
		"overflow",
		"bound range",
		"invalid opcode",
		"device not available",
		"double fault",
		"",
		"invalid task segment",
		"segment not present",
		"stack fault",
		"general protection",
		"page fault",
		"",
		"floating point",
		"alignment",
		"machine check",
		"SIMD floating point",
		"virtualisation",
		"control protection",
	};
	char what[96];
	uint64_t address;
	__asm__ volatile("mov %%cr2, %0" : "=r"(address));
	const char *name = vector < 32 && names[vector] ? names[vector] : "";
	if (vector == PAGE_FAULT)
		snprintf(what, sizeof what, "%s at 0x%llx, error 0x%llx", name, (unsigned long long)address,
			 (unsigned long long)error);
	else
		snprintf(what, sizeof what, "%s, error 0x%llx", name, (unsigned long long)error);
	bare_trap(vector, pc, what);
}
