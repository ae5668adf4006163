/* What cmtnoise uses of Solaris's kstat.h, for 64-bit programs; after illumos-gate's kstat.h and sys/kstat.h. */
#ifndef CMTNOISE_PORT_SOLARIS_KSTAT_H
#define CMTNOISE_PORT_SOLARIS_KSTAT_H

#include <sys/types.h>

typedef int kid_t;
#define KSTAT_STRLEN 31
#define KSTAT_TYPE_NAMED 1
#define KSTAT_DATA_CHAR 0
#define KSTAT_DATA_INT32 1
#define KSTAT_DATA_UINT32 2
#define KSTAT_DATA_INT64 3
#define KSTAT_DATA_UINT64 4
#define KSTAT_DATA_STRING 9

typedef struct kstat {
	hrtime_t ks_crtime;
	struct kstat *ks_next;
	kid_t ks_kid;
	char ks_module[KSTAT_STRLEN];
	uchar_t ks_resv;
	int ks_instance;
	char ks_name[KSTAT_STRLEN];
	uchar_t ks_type;
	char ks_class[KSTAT_STRLEN];
	uchar_t ks_flags;
	void *ks_data;
	uint_t ks_ndata;
	size_t ks_data_size;
	hrtime_t ks_snaptime;
	int (*ks_update)(struct kstat *, int);
	void *ks_private;
	int (*ks_snapshot)(struct kstat *, void *, int);
	void *ks_lock;
} kstat_t;

typedef struct kstat_named {
	char name[KSTAT_STRLEN];
	uchar_t data_type;
	union {
		char c[16];
		int32_t i32;
		uint32_t ui32;
		struct {
			union {
				char *ptr;
				char __pad[8];
			} addr;
			uint32_t len;
		} str;
		int64_t i64;
		uint64_t ui64;
	} value;
} kstat_named_t;
#define KSTAT_NAMED_STR_PTR(named) ((named)->value.str.addr.ptr)

typedef struct kstat_ctl {
	kid_t kc_chain_id;
	kstat_t *kc_chain;
	int kc_kd;
} kstat_ctl_t;

extern kstat_ctl_t *kstat_open(void);
extern int kstat_close(kstat_ctl_t *);
extern kid_t kstat_read(kstat_ctl_t *, kstat_t *, void *);
extern kid_t kstat_chain_update(kstat_ctl_t *);
extern void *kstat_data_lookup(kstat_t *, char *);

#endif
