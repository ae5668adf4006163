/* The local APIC (Intel SDM vol. 3, chapter 11), through its registers in memory or, where it is on, as x2APIC. */
#include "asm/isa.h"
#include "domains/bare/bare.h"
#include "domains/bare/pc/pc.h"
#include "domains/bare/pc/rate.h"

enum { APIC_BASE_MSR = 0x1b, X2APIC_ON = 1 << 10, APIC_ON = 1 << 11, X2APIC_MSRS = 0x800 };
enum { ID = 0x20, PRIORITY = 0x80, SPURIOUS = 0xf0, COMMAND = 0x300, COMMAND_HIGH = 0x310, TIMER = 0x320 };
enum { LINE0 = 0x350, INITIAL_COUNT = 0x380, CURRENT_COUNT = 0x390, DIVIDE = 0x3e0 };
enum { SOFTWARE_ENABLED = 0x100, PENDING = 1 << 12, MASKED = 1 << 16, PERIODIC = 1 << 17, BY_ONE = 0xb };
enum { EVERY_STRAND = 0xff }; /* as an APIC's id, but not an x2APIC's */
enum { PIC1 = 0x20, PIC2 = 0xa0, PIC_DATA = 1, PIC_BEGIN = 0x11, PIC_8086 = 1, PIC_NOTHING = 0xff };

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
	write(PRIORITY, 0);
	write(LINE0, MASKED); /* the old interrupt controllers' way in */
}

/* A BIOS leaves them with interrupts on, at the numbers of exceptions. Nothing is wanted of them; what comes by mistake
 * nevertheless gets a number that is ignored (Intel 8259A data sheet: initialisation words, spurious interrupts). */
void apic_silence_old(void)
{
	static const struct {
		uint16_t port;
		uint8_t vector, cascade;
	} pics[] = {{PIC1, 0x20, 4}, {PIC2, 0x28, 2}};
	for (unsigned i = 0; i < 2; i++) {
		port_out(pics[i].port, PIC_BEGIN);
		port_out(pics[i].port + PIC_DATA, pics[i].vector);
		port_out(pics[i].port + PIC_DATA, pics[i].cascade);
		port_out(pics[i].port + PIC_DATA, PIC_8086);
		port_out(pics[i].port + PIC_DATA, PIC_NOTHING);
	}
}

static bool wait_until_sent(void)
{
	for (unsigned patience = 1000000; patience; patience--) {
		if (!(read(COMMAND) & PENDING))
			return true;
		isa_relax();
	}
	return false;
}

bool apic_send(unsigned strand, uint32_t command)
{
	if (apic_is_x2()) {
		msr_write(X2APIC_MSRS + COMMAND / 16, (uint64_t)strand << 32 | command);
		return true;
	}
	if (strand >= EVERY_STRAND || !wait_until_sent())
		return false;
	write(COMMAND_HIGH, strand << 24);
	write(COMMAND, command);
	return wait_until_sent();
}

/* Not inlined: both times the same path lies between the two readings. */
static __attribute__((noinline)) uint64_t read_both(uint32_t *count)
{
	*count = read(CURRENT_COUNT);
	return timer_read();
}

/* The APIC's timer has a clock of its own: its rate against the strand's timer. */
static uint64_t timer_rate_hz(void)
{
	uint32_t first, last;
	write(DIVIDE, BY_ONE);
	write(TIMER, MASKED | PC_TICK_VECTOR);
	write(INITIAL_COUNT, UINT32_MAX);
	uint64_t begin = read_both(&first);
	clock_wait_ns(20000000);
	uint64_t counts = read_both(&last) - begin;
	write(INITIAL_COUNT, 0);
	return rate_scale(first - last, bare_machine.timer_hz, counts);
}

bool machine_tick_start(uint64_t hz, uint64_t path)
{
	uint64_t period = (timer_rate_hz() + hz / 2) / hz;
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
