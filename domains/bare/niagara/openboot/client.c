#include "domains/bare/niagara/openboot/client.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 9, LINE = 256, PIECE = 65536 };

/* A multiple of every page size that a sun4v machine has below 4 MB. */
static const uint64_t ALIGNMENT = 65536;

static int (*handler)(void *request);
static uint64_t console;

/* The arguments are first in the cells, the results behind them. */
static bool ask(const char *service, unsigned arguments, unsigned results, uint64_t *cells)
{
	uint64_t request[3 + CELLS] = {(uintptr_t)service, arguments, results};
	memcpy(request + 3, cells, arguments * sizeof *cells);
	if (handler(request))
		return false;
	memcpy(cells + arguments, request + 3 + arguments, results * sizeof *cells);
	return true;
}

/* A method of an instance: its arguments with the top of the stack first, behind the two cells of the call itself. False: there is
 * no such instance or method, or it gave up; the first result is that. */
static bool ask_method(const char *method, uint64_t instance, unsigned arguments, unsigned results, uint64_t *cells)
{
	cells[0] = (uintptr_t)method;
	cells[1] = instance;
	return ask("call-method", 2 + arguments, 1 + results, cells) && !cells[2 + arguments];
}

static void put(const char *bytes, size_t count)
{
	uint64_t cells[CELLS] = {console, (uintptr_t)bytes, count};
	ask("write", 3, 1, cells);
}

void client_say(const char *format, ...)
{
	static char line[LINE];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	put("cmtnoise: ", 10);
	put(line, strlen(line));
	put("\r\n", 2);
}

_Noreturn void client_exit(void)
{
	uint64_t cells[CELLS] = {0};
	for (;;)
		ask("exit", 0, 0, cells);
}

int client_property(const char *path, const char *name, void *buffer, size_t size)
{
	uint64_t cells[CELLS] = {(uintptr_t)path};
	if (!ask("finddevice", 1, 1, cells))
		return -1;
	uint64_t node = cells[1];
	if (!node || (int32_t)node == -1)
		return -1;
	cells[0] = node;
	cells[1] = (uintptr_t)name;
	cells[2] = (uintptr_t)buffer;
	cells[3] = size;
	return ask("getprop", 4, 1, cells) ? (int)cells[4] : -1;
}

uint32_t client_number(const char *path, const char *name, uint32_t absent)
{
	uint32_t number;
	return client_property(path, name, &number, sizeof number) == sizeof number ? number : absent;
}

void client_begin(int (*given)(void *request))
{
	handler = given;
	console = client_number("/chosen", "stdout", 0);
}

/* In pieces: a device may give less than it is asked for at once. */
static size_t read_all(uint64_t device, unsigned char *buffer, size_t bytes)
{
	size_t count = 0;
	while (count < bytes) {
		size_t piece = bytes - count < PIECE ? bytes - count : PIECE;
		uint64_t cells[CELLS] = {device, (uintptr_t)buffer + count, piece};
		if (!ask("read", 3, 1, cells) || (int32_t)cells[3] <= 0)
			break;
		count += cells[3];
	}
	return count;
}

int64_t client_read(const char *path, uint64_t offset, void *buffer, size_t bytes)
{
	uint64_t cells[CELLS] = {(uintptr_t)path};
	if (!ask("open", 1, 1, cells) || !cells[1])
		return -1;
	uint64_t device = cells[1];
	uint64_t seek[CELLS] = {device, 0 /* the upper half */, offset}, close[CELLS] = {device};
	size_t count = 0;
	if (ask("seek", 3, 1, seek) && (int32_t)seek[3] != -1)
		count = read_all(device, buffer, bytes);
	ask("close", 1, 0, close);
	return (int64_t)count;
}

void *client_claim(size_t bytes)
{
	uint64_t cells[CELLS] = {0, bytes, ALIGNMENT};
	if (!ask("claim", 3, 1, cells) || (int64_t)cells[3] == -1)
		return NULL;
	return (void *)(uintptr_t)cells[3];
}

/* An alignment of 0 means: there, and nowhere else. The address is below 4 GB: whether its upper half goes into a cell of its own,
 * on which firmwares differ, does not matter then. */
bool client_claim_real(uint64_t address, uint64_t bytes)
{
	uint64_t cells[CELLS] = {0, 0, 0, bytes, 0, address};
	return ask_method("claim", client_number("/chosen", "memory", 0), 4, 2, cells) &&
	       (cells[7] << 32) + cells[8] == address;
}

void *client_map(uint64_t real, size_t bytes)
{
	uint64_t mmu = client_number("/chosen", "mmu", 0);
	uint64_t size = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
	uint64_t claim[CELLS] = {0, 0, ALIGNMENT, size};
	if (!ask_method("claim", mmu, 2, 1, claim) || (int64_t)claim[5] == -1)
		return NULL;
	uint64_t map[CELLS] = {0, 0, UINT64_MAX /* the mode of memory */, size, claim[5], 0, real};
	return ask_method("map", mmu, 5, 0, map) ? (void *)(uintptr_t)claim[5] : NULL;
}

uint64_t client_translate(const void *address)
{
	uint64_t cells[CELLS] = {0, 0, (uintptr_t)address};
	if (!ask_method("translate", client_number("/chosen", "mmu", 0), 1, 4, cells) || !cells[4])
		return UINT64_MAX;
	return (cells[6] << 32) + cells[7];
}
