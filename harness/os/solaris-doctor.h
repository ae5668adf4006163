/* The checks of Solaris's doctor; harness/os/solaris-doctor.c lists them all. Each adds at least one finding: what is fine is said too,
 * and what cannot be read is a note. */
#ifndef CMTNOISE_SOLARIS_DOCTOR_H
#define CMTNOISE_SOLARIS_DOCTOR_H

#include "harness/doctor.h"

/* solaris-doctor-tick.c: clock() and interrupts */
void doctor_tick_rate(struct findings *f, const struct topology *t);
void doctor_tick(struct findings *f, const struct topology *t);
void doctor_interrupts(struct findings *f, const struct topology *t);

/* solaris-doctor-limits.c: what this program is allowed */
void doctor_realtime(struct findings *f, const struct topology *t);
void doctor_locking(struct findings *f, const struct topology *t);
void doctor_zone(struct findings *f, const struct topology *t);
void doctor_causes(struct findings *f, const struct topology *t);

/* solaris-doctor-strands.c: strands, their speed, and who else is there */
void doctor_strands(struct findings *f, const struct topology *t);
void doctor_sets(struct findings *f, const struct topology *t);
void doctor_cores(struct findings *f, const struct topology *t);
void doctor_speed(struct findings *f, const struct topology *t);
void doctor_smt(struct findings *f, const struct topology *t);
void doctor_load(struct findings *f, const struct topology *t);

#endif
