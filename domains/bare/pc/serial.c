/* COM1, a 16550: 115200 baud, 8 bits, no parity. */
#include "domains/bare/pc/pc.h"

enum { COM1 = 0x3f8, DATA = 0, INTERRUPTS = 1, FIFO = 2, LINE = 3, MODEM = 4, STATUS = 5, SCRATCH = 7 };
enum { DIVISOR_ACCESS = 0x80, EIGHT_BITS = 3, TRANSMITTER_EMPTY = 0x20 };

static bool present;

bool serial_begin(void)
{
	port_out(COM1 + SCRATCH,
		 0x5a); /* a register that does nothing: where there is no UART, it does not keep a value */
	present = port_in(COM1 + SCRATCH) == 0x5a;
	if (!present)
		return false;
	port_out(COM1 + INTERRUPTS, 0);
	port_out(COM1 + LINE, DIVISOR_ACCESS);
	port_out(COM1 + DATA, 1); /* of 115200 */
	port_out(COM1 + INTERRUPTS, 0);
	port_out(COM1 + LINE, EIGHT_BITS);
	port_out(COM1 + FIFO, 7);
	port_out(COM1 + MODEM, 3);
	return true;
}

void serial_write(const char *bytes, size_t count)
{
	for (; present && count; count--) {
		while (!(port_in(COM1 + STATUS) & TRANSMITTER_EMPTY))
			;
		port_out(COM1 + DATA, (uint8_t)*bytes++);
	}
}
