/* What an APIC id tells of a strand's place. Freestanding. */
#ifndef CMTNOISE_PLACE_H
#define CMTNOISE_PLACE_H

struct cpuid_leaf {
	unsigned a, b, c, d;
};

/* Low bits of an id that number the strands of a core, and those of a package. */
struct place_bits {
	unsigned core, package;
};

/* `ask`: CPUID of any strand; the strands of a machine are told apart in one way. */
struct place_bits place_bits(struct cpuid_leaf (*ask)(unsigned leaf, unsigned subleaf));

#endif
