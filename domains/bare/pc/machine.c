/* An x86-64 machine with a PC's devices. */
#include "asm/isa.h"
#include "domains/bare/bare.h"
#include "domains/bare/pc/pc.h"
#include "harness/provenance.h"

const char machine_name[] = "pc";

static bool has_console;

/* For who sits before a real machine, whose screen would stay dark: text mode, where there is one. */
static void show(const char *text)
{
	enum { COLUMNS = 80, GREY = 0x0700 };
	volatile uint16_t *screen = (void *)(uintptr_t)0xb8000;
	for (unsigned i = 0; i < COLUMNS; i++)
		screen[i] = (uint16_t)(GREY | (unsigned char)(*text ? *text++ : ' '));
}

const char *machine_begin(struct machine *m, uint64_t timer_hz)
{
	static char cpu[64], hypervisor[32];
	has_console = serial_begin();
	apic_silence_old();
	isa_cpu_name(cpu, sizeof cpu);
	isa_hypervisor(hypervisor, sizeof hypervisor);
	*m = (struct machine){.cpu = cpu,
			      .hypervisor = hypervisor,
			      .label = provenance_here(),
			      .entered = memory_loader(),
			      .timer_hz = timer_hz,
			      .timer_hz_source = "built in"};
	if (!has_console)
		return "there is no serial port COM1 to write records to";
	show("cmtnoise runs; its records go to the serial port COM1, 115200 baud");
	memory_caches(m);
	if (!m->timer_hz)
		m->timer_hz = clock_timer_hz(&m->timer_hz_source);
	if (!m->timer_hz)
		return "the rate of the time-stamp counter cannot be found out: build the image with TIMER_HZ";
	machine_wall_time_ns(); /* the first call asks the clock */
	if (!memory_find(m))
		return "the loader does not tell of any free memory behind the image";
	strands_find();
	return NULL;
}

void machine_write(const char *bytes, size_t count)
{
	serial_write(bytes, count);
}

/* A virtual machine is ended. A real one stays as it is, with its last words on the screen: it would start all over again. */
void machine_end(bool failed)
{
	enum { DEBUG_EXIT = 0xf4, POWER_CONTROL = 0x604, POWER_OFF = 0x2000 };
	show(!has_console ? "cmtnoise has failed: this machine has no serial port COM1 to write records to"
	     : failed     ? "cmtnoise has failed; the serial port COM1 told why"
			  : "cmtnoise is done; its records went to the serial port COM1");
	if (bare_machine.hypervisor && bare_machine.hypervisor[0]) {
		port_out(DEBUG_EXIT, failed ? 0x11 : 0x10); /* QEMU's isa-debug-exit: status 2 n + 1 */
		port_out16(POWER_CONTROL, POWER_OFF);
	}
	machine_park();
}
