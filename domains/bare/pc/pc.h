/* The parts of the x86-64 machine to each other. */
#ifndef CMTNOISE_PC_H
#define CMTNOISE_PC_H

#include "domains/bare/machine.h"

enum { PC_STRANDS = 256, PC_TICK_VECTOR = 0x40, PC_SPURIOUS_VECTOR = 0xff };

/* What a strand keeps of its own; %gs points to it. vectors.S knows the first three places. */
struct pc_strand {
	uint64_t ticks, path;
	uint8_t x2apic;
	uint32_t id;
};

/* Segments' last part, traps and vector state of the calling strand, which gets its own struct pc_strand. */
void pc_set_up_strand(void);
struct pc_strand *pc_here(void);

/* The local APIC of the calling strand. */
unsigned apic_id(void);
void apic_enable(void);
bool apic_is_x2(void);
bool apic_send(unsigned strand, uint32_t command); /* false: the strand cannot be named, or the APIC does not send */
void apic_silence_old(void);                       /* the interrupt controllers of before the APIC */

/* Counts of timer_read() a second, found out by the best means there is; 0 if there is none. *source says how. */
uint64_t clock_timer_hz(const char **source);
void clock_wait_ns(uint64_t ns); /* by bare_machine.timer_hz */

bool serial_begin(void); /* false: there is none */
void serial_write(const char *bytes, size_t count);

/* The free memory behind the image, and a page for strands to start in, from what the loader left; false if it left nothing
 * of use. */
bool memory_find(struct machine *m);
uint64_t memory_start_page(void);      /* 0: none */
uint64_t memory_acpi_root(void);       /* as the loader tells; 0: it does not */
void memory_caches(struct machine *m); /* cache sizes from CPUID */
const char *memory_loader(void);       /* "multiboot", "pvh" or "" */

void strands_find(void); /* reads the firmware's list of strands, once memory_find() is done */

static inline void port_out(uint16_t port, uint8_t value)
{
	__asm__ volatile("outb %0, %1" ::"a"(value), "Nd"(port));
}

static inline void port_out16(uint16_t port, uint16_t value)
{
	__asm__ volatile("outw %0, %1" ::"a"(value), "Nd"(port));
}

static inline uint8_t port_in(uint16_t port)
{
	uint8_t value;
	__asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
	return value;
}

static inline uint64_t msr_read(uint32_t number)
{
	uint32_t low, high;
	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(number));
	return low | (uint64_t)high << 32;
}

static inline void msr_write(uint32_t number, uint64_t value)
{
	__asm__ volatile("wrmsr" ::"c"(number), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)) : "memory");
}

#endif
