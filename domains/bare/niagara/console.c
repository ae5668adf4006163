/* The console: the T1 board's UART after a reset, the hypervisor's as its guest. */
#include "domains/bare/machine.h"
#include "domains/bare/niagara/hypervisor.h"
#include "domains/bare/niagara/niagara.h"

/* A 16550 with its registers a byte apart (QEMU, hw/sparc64/niagara.c; UART data sheets: 0 is to be sent, 5 the line status). */
static const uintptr_t UART = 0x1f10000000;
enum { UART_SEND = 0, UART_STATUS = 5, UART_CAN_TAKE = 0x20 };

static void uart_put(unsigned char byte)
{
	volatile unsigned char *uart = (volatile unsigned char *)UART;
	while (!(uart[UART_STATUS] & UART_CAN_TAKE))
		;
	uart[UART_SEND] = byte;
}

/* A hypervisor without this call leaves nobody to tell it to. */
static void hypervisor_put(unsigned char byte)
{
	uint64_t value, status;
	do
		status = niagara_call(HV_CONS_PUTCHAR, byte, 0, 0, 0, &value);
	while (status == HV_EWOULDBLOCK);
}

void machine_write(const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (niagara_was_reset)
			uart_put((unsigned char)bytes[i]);
		else
			hypervisor_put((unsigned char)bytes[i]);
	}
}

/* Later hypervisors have the calls of a group only for guests that asked for a version of it; the first ones have them
 * anyway and know nothing of versions (Linux, arch/sparc/kernel/hvapi.c: FLAG_PRE_API). So the answer changes nothing. */
void niagara_agree(void)
{
	uint64_t minor;
	niagara_core_call(HV_SET_VERSION, HV_GROUP_SUN4V, 1, 0, 0, &minor);
	niagara_core_call(HV_SET_VERSION, HV_GROUP_CORE, 1, 0, 0, &minor);
}
