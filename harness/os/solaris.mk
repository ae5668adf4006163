# Solaris 10 and 11, illumos; 64-bit programs, by gcc with GNU as (docs/solaris.md). Also read by a cross compiler, which is known by
# there being no isainfo.
SOLARIS_ISA := $(shell isainfo -k 2>/dev/null)
ifneq ($(SOLARIS_ISA),)
ISA       ?= $(patsubst amd64,x86_64,$(SOLARIS_ISA))
NATIVE    := 1
OS_CFLAGS := -m64
ASFLAGS   += -m64
# Its awk is the one of 1977.
AWK       := nawk
endif
# errno of a thread's own; everything that the headers have.
OS_CFLAGS += -D_REENTRANT -D__EXTENSIONS__
# Since Solaris 11 librt's calls are in libc too.
OS_LDLIBS := -lkstat -lrt
