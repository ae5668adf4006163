#define _GNU_SOURCE
#include "domains/linux/channel.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

static int port = -1;

void channel_send(const char *bytes, size_t count)
{
	while (count) {
		ssize_t sent = write(port, bytes, count);
		if (sent < 0 && errno != EINTR)
			return;
		if (sent > 0) {
			bytes += sent;
			count -= (size_t)sent;
		}
	}
}

void channel_line(const char *format, ...)
{
	char line[512];
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(line, sizeof line - 1, format, arguments);
	va_end(arguments);
	if (length > (int)sizeof line - 2)
		length = (int)sizeof line - 2;
	line[length] = '\n';
	channel_send(line, (size_t)length + 1);
}

/* Bytes as they are: no echo, no line ends changed. */
static void make_raw(void)
{
	struct termios mode;
	if (tcgetattr(port, &mode))
		return; /* no serial port: it carries bytes as they are */
	cfmakeraw(&mode);
	cfsetspeed(&mode, B115200);
	tcsetattr(port, TCSANOW, &mode);
}

/* The second serial port, which all machines of domains/cmtnoise_domain/linux_machine.py have. */
void channel_open(void)
{
	port = open("/dev/ttyS1", O_RDWR | O_NOCTTY);
	if (port < 0)
		fprintf(stderr, "init: this OS kernel has no port to send the run through: a second serial port\n");
	else
		make_raw();
}

void channel_drain(void)
{
	tcdrain(port);
}
