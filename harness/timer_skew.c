/* Skew between the counters of two strands: the strands hand a token to and fro and stamp each hand-over, as NTP does. In a
 * round that begins at a, is answered at b and ends at c, the answer fell between a and c, so b before a or after c is
 * skew beyond doubt. */
#include <errno.h>
#include <stdatomic.h>
#include "asm/isa.h"
#include "harness/os/os.h"
#include "harness/timer_test.h"

enum { ROUNDS = 300 };

static const uint64_t SKEW_MOST_NS = 1000;
static const uint64_t PATIENCE_NS = 2000000000; /* for a partner that other work keeps off its strand */

struct pair {
	_Alignas(64) atomic_uint token; /* even: the asker's turn; odd: the answerer's */
	_Alignas(64) uint64_t answer_counts;
	uint64_t certain_skew_counts;
	atomic_bool lost;
};

static bool wait_for(struct pair *p, unsigned token)
{
	uint64_t give_up_ns = 0;
	for (uint64_t spins = 1; atomic_load_explicit(&p->token, memory_order_acquire) != token; spins++) {
		isa_relax();
		if (spins % 100000)
			continue;
		if (!give_up_ns)
			give_up_ns = os_now_ns() + PATIENCE_NS;
		if (os_now_ns() > give_up_ns || atomic_load(&p->lost)) {
			atomic_store(&p->lost, true);
			return false;
		}
	}
	return true;
}

static void answerer(void *argument)
{
	struct pair *p = argument;
	for (unsigned round = 0; round < ROUNDS && wait_for(p, 2 * round + 1); round++) {
		p->answer_counts = timer_read();
		atomic_store_explicit(&p->token, 2 * round + 2, memory_order_release);
	}
}

static void asker(void *argument)
{
	struct pair *p = argument;
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint64_t asked = timer_read();
		atomic_store_explicit(&p->token, 2 * round + 1, memory_order_release);
		if (!wait_for(p, 2 * round + 2))
			return;
		uint64_t ended = timer_read(), answered = p->answer_counts, skew = 0;
		if (answered < asked)
			skew = asked - answered;
		else if (answered > ended)
			skew = answered - ended;
		if (skew > p->certain_skew_counts)
			p->certain_skew_counts = skew;
	}
}

static int measure_pair(struct pair *p, unsigned a, unsigned b, struct why *why)
{
	struct os_thread *first, *second;
	int error = os_start(&first, a, asker, p);
	if (error)
		return why_set(why, error, "cannot start a thread on strand %u", a);
	error = os_start(&second, b, answerer, p);
	if (error)
		atomic_store(&p->lost, true);
	else
		error = os_join(second);
	int join_error = os_join(first);
	if (error || join_error)
		return why_set(why, error ? error : join_error, "the skew test on strands %u and %u was broken off", a,
			       b);
	return 0;
}

int timer_test_skew(struct timer_facts *facts, const struct strand_set *strands, struct why *why)
{
	for (size_t i = 1; i < strands->count; i++) {
		unsigned a = strands->items[0]->id, b = strands->items[i]->id;
		struct pair p = {0};
		int error = measure_pair(&p, a, b, why);
		if (error)
			return error;
		if (atomic_load(&p.lost))
			return why_set(
				why, -EIO,
				"strands %u and %u did not answer each other within %llu s: is other real-time work there?",
				a, b, (unsigned long long)(PATIENCE_NS / 1000000000));
		uint64_t skew_ns = (uint64_t)((double)p.certain_skew_counts * 1e9 / (double)facts->hz);
		facts->skew_known = true;
		if (skew_ns > facts->skew_ns)
			facts->skew_ns = skew_ns;
		if (skew_ns > SKEW_MOST_NS)
			return why_set(why, -EIO, "the timers of strands %u and %u differ by at least %llu ns", a, b,
				       (unsigned long long)skew_ns);
	}
	return 0;
}
