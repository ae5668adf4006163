/* The checks of Linux's doctor. A check is one function; harness/os/linux-doctor.c lists them all. Each adds at least one finding:
 * what is fine is said too, and what cannot be read is a note. */
#ifndef CMTNOISE_LINUX_DOCTOR_H
#define CMTNOISE_LINUX_DOCTOR_H

#include "harness/doctor.h"

/* A note that a file cannot be read, and why (-errno). */
void doctor_unread(struct findings *f, const char *subject, const char *path, int error);

/* The integer that a file holds: 0, -EINVAL with what it holds in text, or -errno. */
int doctor_number(const char *path, long long *value, char *text, size_t size);

/* linux-doctor-speed.c: what changes the strands' speed */
void doctor_governor(struct findings *f, const struct topology *t);
void doctor_turbo(struct findings *f, const struct topology *t);
void doctor_idle_states(struct findings *f, const struct topology *t);
void doctor_smt(struct findings *f, const struct topology *t);

/* linux-doctor-limits.c: what this program is allowed */
void doctor_quota(struct findings *f, const struct topology *t);
void doctor_realtime(struct findings *f, const struct topology *t);
void doctor_locking(struct findings *f, const struct topology *t);
void doctor_causes(struct findings *f, const struct topology *t);

/* linux-doctor-settings.c: what the OS does of its own accord */
void doctor_settings(struct findings *f, const struct topology *t);
void doctor_huge_pages(struct findings *f, const struct topology *t);

/* linux-doctor-work.c: what else runs */
void doctor_steal(struct findings *f, const struct topology *t);
void doctor_irqbalance(struct findings *f, const struct topology *t);
void doctor_load(struct findings *f, const struct topology *t);
void doctor_tuned(struct findings *f, const struct topology *t);

#endif
