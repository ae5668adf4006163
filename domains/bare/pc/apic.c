/* The local APIC (Intel SDM vol. 3, chapter 11), through its registers in memory or, where it is on, as x2APIC. */
#include "asm/isa.h"
#include "domains/bare/bare.h"
#include "domains/bare/pc/pc.h"

enum { APIC_BASE_MSR = 0x1b, X2APIC_ON = 1 << 10, APIC_ON = 1 << 11, X2APIC_MSRS = 0x800 };
enum { ID = 0x20, SPURIOUS = 0xf0, COMMAND = 0x300, COMMAND_HIGH = 0x310, TIMER = 0x320 };
enum { INITIAL_COUNT = 0x380, CURRENT_COUNT = 0x390, DIVIDE = 0x3e0 };
enum { SOFTWARE_ENABLED = 0x100, PENDING = 1 << 12, MASKED = 1 << 16, PERIODIC = 1 << 17, BY_ONE = 0xb };

static volatile uint32_t *const registers = (void *)(uintptr_t)0xfee00000;

bool apic_is_x2(void)
{
	return msr_read(APIC_BASE_MSR) & X2APIC_ON;
}

static uint32_t read(unsigned at)
{
	return apic_is_x2() ? (uint32_t)msr_read(X2APIC_MSRS + at / 16) : registers[at / 4];
}

static void write(unsigned at, uint32_t value)
{
	if (apic_is_x2())
		msr_write(X2APIC_MSRS + at / 16, value);
	else
		registers[at / 4] = value;
}

unsigned apic_id(void)
{
	return apic_is_x2() ? read(ID) : read(ID) >> 24;
}

void apic_enable(void)
{
	msr_write(APIC_BASE_MSR, msr_read(APIC_BASE_MSR) | APIC_ON);
	write(SPURIOUS, SOFTWARE_ENABLED | PC_SPURIOUS_VECTOR);
}

void apic_send(unsigned strand, uint32_t command)
{
	if (apic_is_x2()) {
		msr_write(X2APIC_MSRS + COMMAND / 16, (uint64_t)strand << 32 | command);
		return;
	}
	write(COMMAND_HIGH, strand << 24);
	write(COMMAND, command);
	while (read(COMMAND) & PENDING)
		isa_relax();
}

/* The APIC's timer has a clock of its own: its rate against the strand's timer, over a few milliseconds. */
static uint64_t timer_rate_hz(void)
{
	uint64_t begin = timer_read();
	write(DIVIDE, BY_ONE);
	write(TIMER, MASKED | PC_TICK_VECTOR);
	write(INITIAL_COUNT, UINT32_MAX);
	clock_wait_ns(20000000);
	uint64_t counted = UINT32_MAX - read(CURRENT_COUNT), counts = timer_read() - begin;
	write(INITIAL_COUNT, 0);
	return (uint64_t)((double)counted * (double)bare_machine.timer_hz / (double)counts + 0.5);
}

bool machine_tick_start(uint64_t hz, uint64_t path)
{
	uint64_t period = timer_rate_hz() / hz;
	struct pc_strand *here = pc_here();
	if (period < 1000 || period > UINT32_MAX)
		return false;
	here->ticks = 0;
	here->path = path;
	write(TIMER, PERIODIC | PC_TICK_VECTOR);
	write(INITIAL_COUNT, (uint32_t)period);
	__asm__ volatile("sti" ::: "memory");
	return true;
}

void machine_tick_stop(void)
{
	__asm__ volatile("cli" ::: "memory");
	write(TIMER, MASKED | PC_TICK_VECTOR);
	write(INITIAL_COUNT, 0);
}

uint64_t machine_ticks(void)
{
	return pc_here()->ticks;
}
