/* The console: lines (results/FORMAT.md, "The console of a bare machine"). */
#include "domains/bare/bare.h"
#include <stdarg.h>
#include <stdio.h>

static int to_machine(void *context, const char *bytes, size_t count)
{
	(void)context;
	machine_write(bytes, count);
	return 0;
}

static char buffer[256];
struct text console = {.buffer = buffer, .size = sizeof buffer, .flush = to_machine};

void console_flush(void)
{
	text_finish(&console);
}

void console_line(const char *format, ...)
{
	char line[1024];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	text_line_value(&console, line);
	text_bytes(&console, "\n", 1);
	console_flush();
}
