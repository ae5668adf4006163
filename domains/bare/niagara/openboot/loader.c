/*
 * What OpenBoot's `boot` command starts in a guest domain: puts the runtime's image at the real address it is linked for, turns
 * translation off and goes there. Until then nothing of OpenBoot's is touched: whatever is wrong is told, and ends at the prompt.
 * What was claimed by then stays claimed; the next `boot` begins with a reset (its source, obp/pkg/boot/bootparm.fth, $load).
 *
 * The memory is claimed from OpenBoot, and made visible at an address that OpenBoot gives: so the image lies where it belongs
 * before translation goes, OpenBoot cannot be in its way, and the hypervisor's mmu_enable call, whose return address is a real one,
 * is the jump as well. The loader can be: the memory that it lies in is not claimed.
 */
#include <string.h>
#include "domains/bare/crc32.h"
#include "domains/bare/niagara/hypervisor.h"
#include "domains/bare/niagara/niagara.h"
#include "domains/bare/niagara/openboot/client.h"
#include "image.h"

/* payload.S. An offset of 0: loaded with the loader. */
struct payload {
	uint64_t bytes, offset;
	uint32_t sum, unused;
};
extern const struct payload openboot_payload;
extern const unsigned char openboot_image[];

/* start.S and image.ld: the loader, and its length as an address. */
extern const unsigned char openboot_start[], openboot_text_bytes[];

/* start.S */
_Noreturn void openboot_main(int (*handler)(void *request));
void openboot_quiet(void);
void openboot_flush(void *address, size_t bytes);

enum { TEXT = 256, TRIES = 1000000 };

_Static_assert(IMAGE_GIVEN_END + sizeof(uint64_t) <= IMAGE_START + IMAGE_BYTES, "the loader writes it into the image");

/* NULL, if it cannot be read. */
static const unsigned char *read_image(const struct payload *p)
{
	static char path[TEXT];
	unsigned char *buffer = client_claim(p->bytes);
	if (!buffer) {
		client_say("OpenBoot has no %u KB of memory for the image", (unsigned)(p->bytes >> 10));
		return NULL;
	}
	if (client_property("/chosen", "bootpath", path, sizeof path - 1) < 0)
		path[0] = 0;
	int64_t count = client_read(path, p->offset, buffer, p->bytes);
	if (count == (int64_t)p->bytes)
		return buffer;
	if (count < 0)
		client_say("the boot device '%s' cannot be opened again, for the rest of the image", path);
	else
		client_say("the boot device '%s' gave %llu of the image's %llu bytes: copy the file again", path,
			   (unsigned long long)count, (unsigned long long)p->bytes);
	return NULL;
}

static const unsigned char *find_image(const struct payload *p)
{
	const unsigned char *image = p->offset ? read_image(p) : openboot_image;
	if (!image)
		return NULL;
	uint32_t sum = crc32_update(0, image, p->bytes);
	if (sum == p->sum)
		return image;
	client_say("the image's checksum is %.8x and not %.8x, it was damaged on its way: copy the file again", sum,
		   p->sum);
	return NULL;
}

/* The root's "compatible" is what tells (OpenBoot's source, obp/arch/sun4v/rootnexus.fth; Linux, arch/sparc/kernel/head_64.S). */
static bool is_sun4v(void)
{
	static char names[TEXT];
	int length = client_property("/", "compatible", names, sizeof names - 1);
	if (length > (int)sizeof names - 1)
		length = sizeof names - 1;
	for (int at = 0; at < length; at += (int)strlen(names + at) + 1)
		if (!strcmp(names + at, "sun4v"))
			return true;
	client_say("this machine is no sun4v, it is '%s': there is no hypervisor, which the runtime needs",
		   length > 0 ? names : "");
	return false;
}

static uint64_t from_cells(const uint32_t *cells, unsigned count)
{
	uint64_t number = 0;
	while (count--)
		number = number << 32 | *cells++;
	return number;
}

/* Of the domain's memory as OpenBoot found it in the machine description (obp/arch/sun4v/memprobe.fth). */
static bool has_memory(uint64_t start, uint64_t end)
{
	static uint32_t reg[64];
	unsigned wide = client_number("/", "#address-cells", 2), size = client_number("/", "#size-cells", 1);
	int bytes = client_property("/memory", "reg", reg, sizeof reg);
	unsigned count = bytes < 0 ? 0 : (unsigned)(bytes > (int)sizeof reg ? (int)sizeof reg : bytes) / sizeof *reg;
	for (unsigned i = 0; wide + size > 0 && i + wide + size <= count; i += wide + size) {
		uint64_t base = from_cells(reg + i, wide), length = from_cells(reg + i + wide, size);
		if (base <= start && end <= base + length)
			return true;
		client_say("memory 0x%llx to 0x%llx", (unsigned long long)base, (unsigned long long)(base + length));
	}
	client_say("there is no memory 0x%llx to 0x%llx, where the runtime has to be: give the domain 4 GB",
		   (unsigned long long)start, (unsigned long long)end);
	return false;
}

/* As much as OpenBoot lets go in one piece, up to 1 GB: all strands together want more than the least. Where it ends; 0: no. */
static uint64_t claim_memory(uint64_t start, uint64_t least)
{
	for (uint64_t bytes = 1 << 30; bytes >= least; bytes /= 2)
		if (client_claim_real(start, bytes))
			return start + bytes;
	client_say("OpenBoot uses some of the memory 0x%llx to 0x%llx itself: give the domain 4 GB",
		   (unsigned long long)start, (unsigned long long)(start + least));
	return 0;
}

/* OpenBoot's load-base is in the lowest memory that is free, and that stays free: it gives it away once more
 * (obp/arch/sun4u/unixmap.fth, map-for-unix). */
static bool is_elsewhere(uint64_t start, uint64_t bytes)
{
	uint64_t real = client_translate(openboot_start);
	if (real >= start + bytes || real + (uintptr_t)openboot_text_bytes <= start)
		return true;
	client_say("OpenBoot loaded this to memory 0x%llx, where the runtime has to be: give the domain 4 GB",
		   (unsigned long long)real);
	return false;
}

static bool place(const unsigned char *image, const struct payload *p, uint64_t end)
{
	unsigned char *there = client_map(IMAGE_START, p->bytes);
	if (!there) {
		client_say("OpenBoot does not map memory 0x%llx", (unsigned long long)IMAGE_START);
		return false;
	}
	uint64_t real = client_translate(there);
	if (real != IMAGE_START) {
		client_say("OpenBoot mapped memory 0x%llx, and not 0x%llx", (unsigned long long)real,
			   (unsigned long long)IMAGE_START);
		return false;
	}
	memcpy(there, image, p->bytes);
	if (crc32_update(0, there, p->bytes) != p->sum) {
		client_say("memory 0x%llx does not hold what was written to it", (unsigned long long)IMAGE_START);
		return false;
	}
	memcpy(there + (IMAGE_GIVEN_END - IMAGE_START), &end, sizeof end);
	openboot_flush(there, p->bytes);
	return true;
}

static uint64_t stop(unsigned strand)
{
	uint64_t value, status;
	unsigned tries = TRIES;
	do
		status = niagara_call(HV_CPU_STOP, strand, 0, 0, 0, &value);
	while (status == HV_EWOULDBLOCK && --tries);
	return status;
}

/* OpenBoot has started them, and they wait in a loop of its own (obp/arch/sun4v/hslave.fth): CPU_START would refuse them. What it left
 * stopped answers EINVAL. CPU_STOP is in version 1.1 of its group, for which OpenBoot has asked (obp/arch/sun4v/niagara/hv-apis.fth);
 * a strand that is stopped has no queues and no fault area any more (OpenSPARC T1 hypervisor, stop_vcpu). */
static void stop_others(void)
{
	uint64_t self = 0;
	unsigned stopped = 0, left = 0;
	if (niagara_call(HV_CPU_MYID, 0, 0, 0, 0, &self))
		self = 0;
	for (unsigned strand = 0; strand < NIAGARA_STRANDS; strand++) {
		uint64_t status = strand == self ? HV_EINVAL : stop(strand);
		stopped += status == HV_EOK;
		left += status != HV_EOK && status != HV_EINVAL && status != HV_ENOCPU;
	}
	client_say("strand %u stays, %u others are stopped", (unsigned)self, stopped);
	if (left)
		client_say("%u strands cannot be stopped: their threads will not start, and they take issue slots",
			   left);
}

/* The status of what failed. The queues: the hypervisor would write the next interrupt or error into OpenBoot's memory, and tell
 * of it by a trap. The MMU's fault area stays, in memory that is OpenBoot's: the specification allows no 0 for it, and without one
 * the hypervisor makes a watchdog reset of a fault (OpenSPARC T1 hypervisor, revec_dax and watchdog_guest). */
static uint64_t leave(void)
{
	uint64_t value;
	openboot_quiet();
	for (uint64_t queue = HV_QUEUE_FIRST; queue <= HV_QUEUE_LAST; queue++)
		niagara_call(HV_CPU_QCONF, queue, 0, 0, 0, &value);
	return niagara_call(HV_MMU_ENABLE, 0, IMAGE_START, 0, 0, &value);
}

static void load(void)
{
	const struct payload *p = &openboot_payload;
	const unsigned char *image = find_image(p);
	if (!image || !is_sun4v() || !has_memory(IMAGE_START, IMAGE_LEAST_END))
		return;
	uint64_t end = claim_memory(IMAGE_START, IMAGE_LEAST_END - IMAGE_START);
	if (!end || !is_elsewhere(IMAGE_START, p->bytes) || !place(image, p, end))
		return;
	stop_others();
	client_say("%llu bytes are at 0x%llx, with memory up to 0x%llx: leaving OpenBoot", (unsigned long long)p->bytes,
		   (unsigned long long)IMAGE_START, (unsigned long long)end);
	client_say("the hypervisor does not turn translation off, status %u: reset-all before the next try",
		   (unsigned)leave());
}

_Noreturn void openboot_main(int (*handler)(void *request))
{
	client_begin(handler);
	load();
	client_exit();
}
