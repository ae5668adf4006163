/* x86-64: what this CPU is and can, from CPUID (Intel SDM vol. 2; AMD APM vol. 3, appendix E). */
#include "asm/isa.h"
#include <cpuid.h>
#include <stdbool.h>

const char isa_name[] = "x86_64";

struct leaf {
	uint32_t a, b, c, d;
};

static struct leaf cpuid(uint32_t number)
{
	struct leaf leaf;
	__cpuid_count(number, 0, leaf.a, leaf.b, leaf.c, leaf.d);
	return leaf;
}

/* The leaf, or zeros where the CPU has no such leaf: CPUID itself would give the highest one's values. */
static struct leaf known_leaf(uint32_t number)
{
	uint32_t highest = cpuid(number & 0xf0000000).a;
	return highest >= number && highest < (number | 0xffff) ? cpuid(number) : (struct leaf){0};
}

void isa_relax(void)
{
	__builtin_ia32_pause();
}

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* AVX registers are usable only if the OS saves them: XCR0 bits 1 and 2. */
static bool os_saves_avx(void)
{
	uint32_t low, high;
	if (!(known_leaf(1).c & bit_OSXSAVE))
		return false;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (low & 6) == 6;
}

int isa_has(const char *feature)
{
	if (same(feature, "sse2"))
		return (known_leaf(1).d & bit_SSE2) != 0;
	if (same(feature, "avx"))
		return (known_leaf(1).c & bit_AVX) && os_saves_avx();
	if (same(feature, "fma"))
		return (known_leaf(1).c & bit_FMA) && os_saves_avx();
	if (same(feature, "avx2"))
		return (known_leaf(7).b & bit_AVX2) && os_saves_avx();
	return 0;
}

/* Appends the bytes of a register, lowest first, as CPUID packs text. */
static void append(char *name, size_t size, size_t *length, uint32_t bytes)
{
	for (unsigned i = 0; i < 4; i++, bytes >>= 8)
		if (*length + 1 < size && (bytes & 0xff))
			name[(*length)++] = (char)(bytes & 0xff);
	name[*length] = 0;
}

void isa_cpu_name(char *name, size_t size)
{
	size_t length = 0;
	name[0] = 0;
	for (uint32_t number = 0x80000002; number <= 0x80000004; number++) {
		struct leaf leaf = known_leaf(number);
		append(name, size, &length, leaf.a);
		append(name, size, &length, leaf.b);
		append(name, size, &length, leaf.c);
		append(name, size, &length, leaf.d);
	}
	while (length && name[length - 1] == ' ')
		name[--length] = 0;
	size_t blanks = 0;
	while (name[blanks] == ' ')
		blanks++;
	for (size_t i = 0; blanks && i <= length - blanks; i++)
		name[i] = name[i + blanks];
}

void isa_hypervisor(char *name, size_t size)
{
	static const struct {
		const char *vendor, *name;
	} known[] = {
		{"KVMKVMKVM", "KVM"},           {"TCGTCGTCGTCG", "QEMU TCG"}, {"Microsoft Hv", "Hyper-V"},
		{"VMwareVMware", "VMware"},     {"XenVMMXenVMM", "Xen"},      {"bhyve bhyve ", "bhyve"},
		{"VBoxVBoxVBox", "VirtualBox"},
	};
	enum { HYPERVISOR_PRESENT = 1u << 31 };
	size_t length = 0;
	name[0] = 0;
	if (!(known_leaf(1).c & HYPERVISOR_PRESENT))
		return;
	struct leaf leaf = cpuid(0x40000000);
	append(name, size, &length, leaf.b);
	append(name, size, &length, leaf.c);
	append(name, size, &length, leaf.d);
	const char *known_name = length ? 0 : "unknown";
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (same(name, known[i].vendor))
			known_name = known[i].name;
	for (length = 0; known_name && length + 1 < size && known_name[length]; length++)
		name[length] = known_name[length];
	if (known_name)
		name[length] = 0;
}
