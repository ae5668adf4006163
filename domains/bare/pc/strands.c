/* Strands by APIC id: starting, parking, where they sit. */
#include <cpuid.h>
#include <stdatomic.h>
#include <string.h>
#include "asm/isa.h"
#include "domains/bare/bare.h"
#include "domains/bare/pc/acpi.h"
#include "domains/bare/pc/pc.h"
#include "domains/bare/pc/place.h"
#include "domains/bare/pc/regions.h"

enum { INIT = 0x4500, START_UP = 0x4600 };

extern const unsigned char trampoline[];
extern const uint32_t trampoline_bytes;
void pc_strand(void);

void *pc_start_stack; /* of the strand that is being started */
static atomic_uint last_started;
static struct acpi_strands listed;

/* SSE is on since boot.S; the rest of the vector state where the CPU has it, else kernels that need it are left out. INIT keeps
 * the control registers of arithmetic: whatever the firmware left there, results and times are those of their reset values. */
static void enable_vectors(void)
{
	enum { CR4_OSXSAVE = 1 << 18, X87 = 1, SSE = 2, AVX = 4 };
	static const uint32_t reset_mxcsr = 0x1f80;
	unsigned a, b, c, d;
	__asm__ volatile("fninit; ldmxcsr %0" ::"m"(reset_mxcsr));
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

void strands_find(void)
{
	acpi_find_strands(&listed, memory_acpi_root());
}

static bool wait_for(unsigned strand, uint64_t ns)
{
	for (uint64_t waited_ns = 0; waited_ns < ns; waited_ns += 1000) {
		if (atomic_load_explicit(&last_started, memory_order_acquire) == strand + 1)
			return true;
		isa_relax();
		clock_wait_ns(1000);
	}
	return false;
}

/* Intel SDM vol. 3, 9.4.4.1: INIT, 10 ms, a start-up interrupt with the page of the code, 200 us, and a second one if need be. */
static bool call_strand(unsigned strand, uint64_t page)
{
	static const uint64_t MS = 1000000;
	uint32_t start_up = START_UP | (uint32_t)(page / REGION_PAGE);
	if (!apic_send(strand, INIT))
		return false;
	isa_relax();
	clock_wait_ns(10 * MS);
	apic_send(strand, start_up);
	if (wait_for(strand, MS / 5))
		return true;
	apic_send(strand, start_up);
	return wait_for(strand, 200 * MS);
}

bool machine_start(unsigned strand, void *stack_top)
{
	uint64_t page = memory_start_page();
	if (strand >= PC_STRANDS || !page || !acpi_has_strand(&listed, strand))
		return false;
	memcpy((void *)(uintptr_t)page, trampoline, trampoline_bytes);
	pc_start_stack = stack_top;
	atomic_store(&last_started, 0);
	bool answered = call_strand(strand, page);
	if (!answered)
		apic_send(strand, INIT); /* too late is never: it would find the next strand's stack */
	return answered;
}

void machine_park(void)
{
	for (;;)
		__asm__ volatile("cli; hlt");
}

static struct cpuid_leaf ask(unsigned leaf, unsigned subleaf)
{
	struct cpuid_leaf found;
	__cpuid_count(leaf, subleaf, found.a, found.b, found.c, found.d);
	return found;
}

/* Numbers without the bits below: unique in the machine, if not without gaps. */
void machine_place(unsigned strand, unsigned *core, unsigned *package)
{
	struct place_bits bits = place_bits(ask);
	*core = strand >> bits.core;
	*package = strand >> bits.package;
}
