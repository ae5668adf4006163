# Searches the period of a record's peaks (results/FORMAT.md, on standard input), for a machine without Python.
# Prints "RATE_HZ FOUND EXPECTED"; exits 1 with a sentence on standard error where no period stands out.
#
# A tick does not show in most peaks being ticks (on a virtual machine most are not) but in nearly every position of its schedule
# being slow. So each period is judged by its best phase: three positions in four must be slow there, and then it counts how
# unlikely it is that so many peaks lie there by chance.
# The full fit, with errors, is that of the Python package.

function fail(text) {
	print "cmtnoise plot: " ENVIRON["CMTNOISE_RECORD"] ": " text "; name the rate with --rate" | "cat 1>&2"
	failed = 1
	exit 1
}

# The k-th smallest of a[1..n], which is put in part into order (quickselect).
function kth(a, n, k,    low, high, i, j, pivot, swap) {
	low = 1
	high = n
	while (low < high) {
		pivot = a[int((low + high) / 2)]
		i = low
		j = high
		while (i <= j) {
			while (a[i] < pivot) i++
			while (a[j] > pivot) j--
			if (i <= j) {
				swap = a[i]
				a[i++] = a[j]
				a[j--] = swap
			}
		}
		if (k <= j)
			high = j
		else if (k >= i)
			low = i
		else
			break
	}
	return a[k]
}

# Baseline and peaks: above the median by 5 median absolute deviations, and by 0.05 %.
function find_peaks(    i, threshold, off) {
	for (i = 1; i <= rows; i++)
		order[i] = duration[i]
	median = kth(order, rows, int((rows + 1) / 2))
	for (i = 1; i <= rows; i++)
		order[i] = duration[i] > median ? duration[i] - median : median - duration[i]
	off = 5 * kth(order, rows, int((rows + 1) / 2))
	threshold = median + (off > 0.0005 * median ? off : 0.0005 * median)
	for (i = 1; i <= rows; i++)
		if (duration[i] > threshold)
			peak[++peaks] = start[i]
}

# How much better than chance the first `count` peaks, which lie within `span`, fold at this period. Sets best_phase and best_hits.
# A repetition begins up to one quantum before its tick: phases are counted in windows of 1.5 quanta, at every half.
function score(period, count, span,    i, k, slots, slot, half, share, density, expected) {
	half = median / 2
	slots = int(period / half)
	if (slots < 4)
		return 0
	half = period / slots
	split("", bin)
	best_hits = 0
	for (i = 1; i <= count; i++) {
		slot = int((peak[i] - period * int(peak[i] / period)) / half)
		for (k = 0; k < 3; k++) {
			if (++bin[slot] > best_hits) {
				best_hits = bin[slot]
				best_phase = slot
			}
			slot = slot ? slot - 1 : slots - 1
		}
	}
	best_phase *= half
	if (best_hits < 0.75 * span / period)
		return 0
	expected = count * 3 / slots
	return best_hits > expected ? best_hits * log(best_hits / expected) - best_hits + expected : 0
}

# The best of the periods from low to high, a step apart that moves the last occurrence by one quantum at most.
function scan(low, high, count, span,    period, points) {
	best_score = 0
	for (period = low; period <= high; period += median * period / span) {
		points = score(period, count, span)
		if (points > best_score) {
			best_score = points
			best_period = period
		}
	}
}

# Least squares of the found occurrences against their number. Sets `found`, the positions that hold one.
function fit(period, phase, count,    i, number, last, from, n, sx, sy, sxx, sxy) {
	last = -1
	for (i = 1; i <= count; i++) {
		number = int((peak[i] - phase) / period + 1) - 1
		from = peak[i] - phase - number * period
		if (from > 1.5 * median)
			continue
		n++
		found += number != last
		last = number
		sx += number
		sxx += number * number
		sy += from
		sxy += number * from
	}
	return n * sxx > sx * sx ? period + (n * sxy - sx * sy) / (n * sxx - sx * sx) : period
}

/^# timer_hz: / { hz = $3 }
/^[0-9]/ {
	start[++rows] = $1
	duration[rows] = $2
}

END {
	find_peaks()
	# A part of a long record is searched, so that it takes seconds; then the period is refined over twice as much at a time.
	for (part = 0; part < peaks && (part < 30 || part * peak[part] / median < 1500000); part++)
		;
	span = part < peaks ? peak[part] : start[rows] + duration[rows]
	longest = span / 8 < 0.05 * hz ? span / 8 : 0.05 * hz
	scan(0.0002 * hz, longest, part, span)
	# As many ways to be right by chance: periods, times phases.
	if (part < 8 || best_score < log(4 * span * longest / median / median) + 3)
		fail("no period stands out of " peaks + 0 " peaks")
	while (part < peaks) {
		step = median * best_period / span
		for (wider = part; wider < peaks && peak[wider] < 2 * span; wider++)
			;
		part = wider
		span = part < peaks ? peak[part] : start[rows] + duration[rows]
		scan(best_period - 2 * step, best_period + 2 * step, part, span)
	}
	score(best_period, part, span)
	rate_hz = hz / fit(best_period, best_phase, part)
	printf "%.4f %d %d\n", rate_hz, found, int((span - best_phase) / best_period) + 1
}
