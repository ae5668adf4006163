/* What cmtnoise uses of Solaris's procfs.h, for 64-bit programs; after illumos-gate's sys/procfs.h. */
#ifndef CMTNOISE_PORT_SOLARIS_PROCFS_H
#define CMTNOISE_PORT_SOLARIS_PROCFS_H

#include <sys/types.h>
#include <time.h>

typedef struct prusage {
	id_t pr_lwpid;
	int pr_count;
	timestruc_t pr_tstamp, pr_create, pr_term, pr_rtime, pr_utime, pr_stime, pr_ttime, pr_tftime, pr_dftime,
		pr_kftime, pr_ltime, pr_slptime, pr_wtime, pr_stoptime, filltime[6];
	ulong_t pr_minf, pr_majf, pr_nswap, pr_inblk, pr_oublk, pr_msnd, pr_mrcv, pr_sigs, pr_vctx, pr_ictx, pr_sysc,
		pr_ioch;
	ulong_t filler[10];
} prusage_t;

#endif
