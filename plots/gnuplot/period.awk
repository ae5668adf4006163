# Searches the period of a record's peaks (results/FORMAT.md, on standard input), for a machine without Python.
# Prints "RATE_HZ FOUND EXPECTED"; exits 1 with a sentence on standard error where no period stands out.
#
# A tick does not show in most peaks being ticks (on a virtual machine most are not) but in nearly every position of its schedule
# being slow. So each period is judged by its best phase: three positions in four must be slow there, and then it counts how
# unlikely it is that so much lies there by chance.
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
		if (duration[i] > threshold) {
			peak[++peaks] = start[i]
			excess[peaks] = duration[i] - median
		}
}

# Gives each peak its weight: alike, or by what it costs, so that the dearest source of noise is found; one stall is not to be all
# that counts. Scaled so that the weights' sum is the number of equal peaks that would scatter as much.
function weigh(by_cost,    i, sum, squares) {
	for (i = 1; i <= peaks; i++) {
		weight[i] = !by_cost ? 1 : excess[i] < median / 2 ? excess[i] : median / 2
		sum += weight[i]
		squares += weight[i] * weight[i]
	}
	for (i = 1; i <= peaks; i++)
		weight[i] *= sum / squares
}

# How much better than chance the first `count` peaks fold at this period. Sets phase_of_score.
# A repetition begins up to one quantum before its tick: phases are counted in windows of 1.5 quanta, at every half.
function score(period, count,    i, k, slots, slot, half, expected, most) {
	half = median / 2
	slots = int(period / half)
	if (slots < 4)
		return 0
	half = period / slots
	split("", bin)
	for (i = 1; i <= count; i++) {
		slot = int((peak[i] - period * int(peak[i] / period)) / half)
		expected += weight[i]
		for (k = 0; k < 3; k++) {
			if ((bin[slot] += weight[i]) > most) {
				most = bin[slot]
				phase_of_score = slot * half
			}
			slot = slot ? slot - 1 : slots - 1
		}
	}
	expected *= 3 / slots
	return most > expected ? most * log(most / expected) - most + expected : 0
}

# The share of the positions within `span` that hold a peak. Sets `found` and `expected`, their numbers, and `better_period`, that of
# a straight line through the peaks found.
function filled(period, phase, count, span,    i, number, last, off, n, sx, sy, sxx, sxy) {
	found = 0
	last = -1
	expected = int((span - phase) / period) + 1
	for (i = 1; i <= count; i++) {
		number = int((peak[i] - phase) / period + 1) - 1
		off = peak[i] - phase - number * period
		if (off > 1.5 * median)
			continue
		found += number != last
		last = number
		n++
		sx += number
		sxx += number * number
		sy += off
		sxy += number * off
	}
	better_period = n * sxx > sx * sx ? period + (n * sxy - sx * sy) / (n * sxx - sx * sx) : period
	return found / expected
}

# The best of the periods from low to high, a step apart that moves the last occurrence by one quantum at most.
function scan(low, high, count, span,    period, points) {
	best_score = 0
	for (period = low; period <= high; period += median * period / span) {
		points = score(period, count)
		if (points > best_score && filled(period, phase_of_score, count, span) >= 0.75) {
			best_score = points
			best_period = period
		}
	}
}

# A part of a long record is searched, so that it takes seconds. Sets part and span.
function search(by_cost,    longest) {
	weigh(by_cost)
	for (part = 0; part < peaks && (part < 30 || part * peak[part] / median < 1500000); part++)
		;
	span = part < peaks ? peak[part] : end
	longest = span / 8 < 0.05 * hz ? span / 8 : 0.05 * hz
	scan(0.0002 * hz, longest, part, span)
	# As many ways to be right by chance: periods, times phases.
	return part >= 8 && best_score >= log(4 * span * longest / median / median) + 3
}

# From the part to the whole record, over twice as much at a time.
function refine(    step) {
	while (part < peaks) {
		step = median * best_period / span
		while (part < peaks && peak[part + 1] < 2 * span)
			part++
		span = part < peaks ? 2 * span : end
		scan(best_period - 2 * step, best_period + 2 * step, part, span)
	}
}

/^# timer_hz: / { hz = $3 }
/^[0-9]/ {
	start[++rows] = $1
	duration[rows] = $2
}

END {
	end = start[rows] + duration[rows]
	find_peaks()
	if (!search(1) && !search(0))
		fail("no period stands out of " peaks + 0 " peaks")
	refine()
	score(best_period, part)
	filled(best_period, phase_of_score, part, span)
	printf "%.4f %d %d\n", hz / better_period, found, expected
}
