/*
 * For the tests: OpenBoot as its client program sees it, in a guest of the tests' hypervisor. It loads what `boot` would, starts
 * it and serves its calls: formats and the order of cells are those of OpenBoot's source (obp/arch/sun4u/go.fth,
 * obp/os/sun/aout.fth, obp/os/bootprom/clientif.fth, allocph.fth, allocvir.fth). What it is asked for is told in lines that begin with [openboot]. Its
 * orders say what to do badly.
 */
#include <stdio.h>
#include <string.h>
#include "domains/bare/niagara/hypervisor.h"
#include "domains/bare/niagara/niagara.h"
#include "tests/bare/niagara/player.h"

enum fault {
	NONE,
	NOT_SUN4V,
	NO_MEMORY,
	MEMORY_IN_USE,
	NO_MAP,
	MAPS_ELSEWHERE,
	NO_DEVICE,
	SHORT_DEVICE,
	NO_CLAIM,
	IN_THE_WAY
};
enum device { NET, DISK };
enum { ROOT = 0x100, CHOSEN, MEMORY_NODE, STDOUT = 0x200, MEMORY, MMU, BOOT_DEVICE };

static const uint64_t PAGE = 4 << 20, FREE_REAL = 0x80000000, FREE_BYTES = 128 << 20;
static const char BOOT_PATH[] = "/virtual-devices@100/channel-devices@200/disk@0";

struct niagara_strand player_strand = {.period_counts = 1000000, .path_turns = 50};

void player_main(void);
void player_enter(uintptr_t entry, int (*handler)(uint64_t *request));

static uintptr_t next_virtual = PLAYER_VIRTUAL + 0x1000000, mapped_virtual, disk;
static uint64_t mapped_real, place;
static enum fault fault;
static enum device device;

static uint64_t write_out(const char *bytes, size_t count)
{
	uint64_t value;
	for (size_t i = 0; i < count; i++)
		while (niagara_call(HV_CONS_PUTCHAR, (unsigned char)bytes[i], 0, 0, 0, &value) == HV_EWOULDBLOCK)
			;
	return count;
}

static void put(const char *text)
{
	write_out(text, strlen(text));
}

static void tell(const char *what, uint64_t a, uint64_t b)
{
	char line[128];
	snprintf(line, sizeof line, "[openboot] %s 0x%llx 0x%llx\n", what, (unsigned long long)a,
		 (unsigned long long)b);
	put(line);
}

static _Noreturn void stop(int code)
{
	uint64_t value;
	for (;;)
		niagara_call(HV_MACH_EXIT, (uint64_t)code, 0, 0, 0, &value);
}

void niagara_trapped(uint64_t type, uint64_t pc)
{
	tell("trap", type, pc);
	stop(1);
}

static void map(uintptr_t at, uint64_t real)
{
	uint64_t value;
	if (niagara_call(MMU_MAP_PERM_ADDR, at, 0, 1ull << 63 | real | TTE_MEMORY, 3, &value))
		stop(1);
}

static uint64_t find(const char *path)
{
	static const char *const paths[] = {"/", "/chosen", "/memory"};
	for (unsigned i = 0; i < 3; i++)
		if (!strcmp(path, paths[i]))
			return ROOT + i;
	return (uint64_t)-1;
}

struct property {
	uint64_t node;
	const char *name;
	const void *value;
	size_t size;
};

static uint64_t get_property(const uint64_t *cells)
{
	static const uint32_t two = 2, console = STDOUT, memory = MEMORY, mmu = MMU;
	static const uint32_t all[] = {0, 0x80000000, 0, 0x10000000}, some[] = {0, 0x8000000, 0, 0x40000000};
	const struct property properties[] = {
		{ROOT, "compatible", fault == NOT_SUN4V ? "sun4u" : "sun4v", 6},
		{ROOT, "#address-cells", &two, 4},
		{ROOT, "#size-cells", &two, 4},
		{CHOSEN, "stdout", &console, 4},
		{CHOSEN, "memory", &memory, 4},
		{CHOSEN, "mmu", &mmu, 4},
		{CHOSEN, "bootpath", BOOT_PATH, sizeof BOOT_PATH},
		{MEMORY_NODE, "reg", fault == NO_MEMORY ? some : all, sizeof all},
	};
	for (unsigned i = 0; i < sizeof properties / sizeof *properties; i++)
		if (properties[i].node == cells[0] && !strcmp(properties[i].name, (const char *)cells[1])) {
			size_t size = properties[i].size < cells[3] ? properties[i].size : cells[3];
			memcpy((void *)cells[2], properties[i].value, size);
			return properties[i].size;
		}
	return (uint64_t)-1;
}

static uintptr_t claim_virtual(uint64_t size)
{
	uintptr_t at = next_virtual;
	next_virtual += (size + PAGE - 1) & -PAGE;
	return at;
}

static uint64_t real_address(uintptr_t at)
{
	if (at < PAGE)
		return (fault == IN_THE_WAY ? FREE_REAL : CLIENT_REAL) + at;
	if (at != mapped_virtual)
		stop(1);
	return mapped_real + (fault == MAPS_ELSEWHERE ? PAGE : 0);
}

/* Cells: method, instance, arguments with the top of the stack first; then what it returns, whether it failed first. */
static uint64_t call_method(uint64_t *cells, unsigned arguments)
{
	const char *method = (const char *)cells[0];
	uint64_t *results = cells + arguments + 1;
	if (cells[1] == MEMORY && !strcmp(method, "claim") && arguments == 6 && !cells[2]) {
		tell("claim real", cells[5], cells[3]);
		results[0] = cells[4];
		results[1] = cells[5];
		return fault == MEMORY_IN_USE || cells[5] != FREE_REAL || cells[3] > FREE_BYTES;
	}
	if (cells[1] == MMU && !strcmp(method, "claim") && arguments == 4 && cells[2]) {
		results[0] = claim_virtual(cells[3]);
		return 0;
	}
	if (cells[1] == MMU && !strcmp(method, "map") && arguments == 7 && cells[2] == UINT64_MAX) {
		tell("map", cells[6], cells[3]);
		mapped_virtual = cells[4];
		mapped_real = cells[6];
		map(mapped_virtual, mapped_real);
		return fault == NO_MAP;
	}
	if (cells[1] == MMU && !strcmp(method, "translate") && arguments == 3) {
		results[0] = UINT64_MAX;
		results[1] = 0x27;
		results[2] = 0;
		results[3] = real_address(cells[2]);
		return 0;
	}
	return UINT64_MAX;
}

static uint64_t claim(const uint64_t *cells)
{
	if (fault == NO_CLAIM || cells[0] || !cells[2] || cells[1] > PAGE)
		return 0;
	uintptr_t at = claim_virtual(cells[1]);
	map(at, CLAIMED_REAL);
	return at;
}

/* Not more than 48 KB at once, as it is with devices. */
static uint64_t read_device(const uint64_t *cells)
{
	uint64_t end = fault == SHORT_DEVICE ? 100000 : PAGE, bytes = cells[2] < 49152 ? cells[2] : 49152;
	if (bytes > end - place)
		bytes = end - place;
	memcpy((void *)cells[1], (void *)(disk + place), bytes);
	place += bytes;
	return bytes;
}

static _Noreturn void leave(void)
{
	put("[openboot] Program terminated\n");
	stop(2);
}

/* 0, or -1: there is no such service. Request: name, numbers of arguments and of results, the cells. */
static int serve(uint64_t *request)
{
	const char *name = (const char *)request[0];
	unsigned arguments = (unsigned)request[1];
	uint64_t *cells = request + 3, result = 0;
	if (!strcmp(name, "finddevice"))
		result = find((const char *)cells[0]);
	else if (!strcmp(name, "getprop"))
		result = get_property(cells);
	else if (!strcmp(name, "call-method"))
		result = call_method(cells, arguments);
	else if (!strcmp(name, "claim"))
		result = claim(cells);
	else if (!strcmp(name, "open"))
		result = fault == NO_DEVICE || strcmp((const char *)cells[0], BOOT_PATH) ? 0 : BOOT_DEVICE;
	else if (!strcmp(name, "seek") && cells[0] == BOOT_DEVICE && !cells[1])
		place = cells[2];
	else if (!strcmp(name, "read") && cells[0] == BOOT_DEVICE)
		result = read_device(cells);
	else if (!strcmp(name, "write") && cells[0] == STDOUT)
		result = write_out((const char *)cells[1], cells[2]);
	else if (!strcmp(name, "exit"))
		leave();
	else if (strcmp(name, "close") || cells[0] != BOOT_DEVICE)
		return -1;
	if (request[2])
		cells[arguments] = result;
	return 0;
}

/* The file comes whole over the network, and is there at load-base with its header; of a disk, the 15 blocks behind its label. */
static uint32_t *load(void)
{
	uint32_t *header = (uint32_t *)LOAD_BASE;
	if (device == DISK)
		memcpy(header, (void *)(disk + 512), 15 * 512);
	else
		memcpy(header, (void *)disk, PAGE - LOAD_BASE);
	return header;
}

void player_main(void)
{
	map(next_virtual, ORDERS_REAL);
	fault = ((uint64_t *)next_virtual)[0];
	device = ((uint64_t *)next_virtual)[1];
	next_virtual += PAGE;
	map(0, CLIENT_REAL);
	disk = claim_virtual(PAGE);
	map(disk, DISK_REAL);
	uint32_t header[8];
	memcpy(header, load(), sizeof header);
	if ((header[0] & 0xffff) != 0407)
		stop(1);
	memmove((void *)(uintptr_t)header[5], (char *)LOAD_BASE + sizeof header, header[1] + header[2]);
	tell("started", header[5], header[1]);
	niagara_tick_on();
	player_enter(header[5], serve);
}
