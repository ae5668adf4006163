/* Strands by APIC id: starting, parking, where they sit. */
#include <cpuid.h>
#include <stdatomic.h>
#include <string.h>
#include "asm/isa.h"
#include "domains/bare/bare.h"
#include "domains/bare/pc/pc.h"

enum { TRAMPOLINE = 0x8000, INIT = 0x4500, START_UP = 0x4600 };

extern const unsigned char trampoline[], trampoline_end[];
void pc_strand(void);

void *pc_start_stack; /* of the strand that is being started */
static atomic_uint last_started;

/* SSE is on since boot.S; the rest of the vector state where the CPU has it, else kernels that need it are left out. */
static void enable_vectors(void)
{
	enum { CR4_OSXSAVE = 1 << 18, X87 = 1, SSE = 2, AVX = 4 };
	unsigned a, b, c, d;
	__cpuid(1, a, b, c, d);
	if (!(c & bit_XSAVE))
		return;
	uint64_t cr4;
	__asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
	__asm__ volatile("mov %0, %%cr4" ::"r"(cr4 | CR4_OSXSAVE));
	__cpuid_count(0xd, 0, a, b, c, d);
	__asm__ volatile("xsetbv" ::"c"(0), "a"(a & (X87 | SSE | AVX)), "d"(0));
}

static void set_up(void)
{
	enable_vectors();
	pc_set_up_strand();
}

void pc_boot(void);

void pc_boot(void)
{
	set_up();
	bare_boot();
}

void pc_strand(void)
{
	set_up();
	atomic_store_explicit(&last_started, machine_strand() + 1, memory_order_release);
	bare_strand();
}

unsigned machine_strand(void)
{
	return pc_here()->id;
}

bool machine_has(const char *feature)
{
	return isa_has(feature);
}

static bool wait_for(unsigned strand, uint64_t ns)
{
	for (uint64_t waited_ns = 0; waited_ns < ns; waited_ns += 1000) {
		if (atomic_load_explicit(&last_started, memory_order_acquire) == strand + 1)
			return true;
		clock_wait_ns(1000);
	}
	return false;
}

/* Intel SDM vol. 3, 9.4.4.1: INIT, 10 ms, a start-up interrupt with the page of the code, 200 us, and a second one if need be. */
bool machine_start(unsigned strand, void *stack_top)
{
	static const uint64_t MS = 1000000;
	if (strand >= PC_STRANDS)
		return false;
	memcpy((void *)(uintptr_t)TRAMPOLINE, trampoline, (size_t)(trampoline_end - trampoline));
	pc_start_stack = stack_top;
	atomic_store(&last_started, 0);
	apic_send(strand, INIT);
	clock_wait_ns(10 * MS);
	apic_send(strand, START_UP | TRAMPOLINE >> 12);
	if (wait_for(strand, MS / 5))
		return true;
	apic_send(strand, START_UP | TRAMPOLINE >> 12);
	return wait_for(strand, 200 * MS);
}

void machine_park(void)
{
	for (;;)
		__asm__ volatile("cli; hlt");
}

/* Bits of the APIC id that number strands in a core, and strands in a package: leaf 0Bh, else the counts of leaves 1 and 4. */
static void id_shifts(unsigned *core, unsigned *package)
{
	unsigned a, b, c, d;
	*core = *package = 0;
	if (__get_cpuid_max(0, 0) >= 0xb) {
		__cpuid_count(0xb, 0, a, b, c, d);
		*core = b ? a & 31 : 0;
		__cpuid_count(0xb, 1, a, b, c, d);
		*package = b ? a & 31 : *core;
	}
	if (*package)
		return;
	__cpuid(1, a, b, c, d);
	unsigned logical = d & 1 << 28 ? b >> 16 & 0xff : 1;
	while (1u << *package < logical)
		++*package;
}

void machine_place(unsigned strand, unsigned *core, unsigned *package)
{
	unsigned core_shift, package_shift;
	id_shifts(&core_shift, &package_shift);
	*core = strand >> core_shift;
	*package = strand >> package_shift;
}
