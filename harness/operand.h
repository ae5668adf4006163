/* Operands: the memory that a kernel's second argument points to. Hosted and bare. */
#ifndef CMTNOISE_OPERAND_H
#define CMTNOISE_OPERAND_H

#include "asm/kernel.h"
#include "bind/topology.h"

/* Built once for a kernel and used on every strand. */
struct operand {
	enum kernel_operand kind;
	void *memory; /* NULL if the kernel needs none */
	size_t bytes;
	bool locked;
	void *start; /* of a pointer chase: the link that was not visited for longest */
};

/* The part of an operand that belongs to one strand. */
struct operand_view {
	_Alignas(64) unsigned char scratch[KERNEL_SCRATCH_BYTES];
	void *cell; /* where a pointer chase has come to */
};

/* Sizes the operand from the caches and builds it on the calling strand. 0, -ENOMEM. */
int operand_build(struct operand *o, enum kernel_operand kind, const struct topology *t, struct why *why);
void operand_free(struct operand *o);

/* What to hand to the kernel on strand number `index` of those that use the operand. */
void *operand_view_init(struct operand_view *view, const struct operand *o, unsigned index);

/* Lets the next strand go on where this one stopped: what it visited is still in the caches they share. */
void operand_view_end(const struct operand_view *view, struct operand *o);

/* Bytes of the pointer chase for a kind, from the machine's caches; 0 for kinds without one. */
size_t operand_footprint(enum kernel_operand kind, const struct topology *t, uint64_t memory_bytes);

#endif
