/* COM1, a 16550: 115200 baud, 8 bits, no parity. */
#include "domains/bare/pc/pc.h"

enum { COM1 = 0x3f8, DATA = 0, INTERRUPTS = 1, FIFO = 2, LINE = 3, MODEM = 4, STATUS = 5, SCRATCH = 7 };
enum { DIVISOR_ACCESS = 0x80, EIGHT_BITS = 3, TRANSMITTER_EMPTY = 0x20 };

static bool present;

/* A register that does nothing else keeps what is written to it. Where there is no UART, reads give all ones, or what the bus
 * carried last: so another port is read in between. */
static bool keeps(uint8_t value)
{
	enum { NOBODY = 0xff };
	port_out(COM1 + SCRATCH, value);
	return port_in(COM1 + STATUS) != NOBODY && port_in(COM1 + SCRATCH) == value;
}

bool serial_begin(void)
{
	present = keeps(0x5a) && keeps(0xa5);
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
