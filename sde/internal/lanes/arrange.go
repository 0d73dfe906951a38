package lanes

import "slices"

// arrange puts lanes with similar numbers of atoms into the same group if that saves work: the time for a
// group is that of its lane with the most atoms. The lanes that are advanced are the first running lanes. A
// trajectory does not depend on the place of its lane.
func (l *vectorTokens) arrange(running int) {
	order := l.order[:0]
	for k := range running {
		if !l.pairs.has(k) {
			order = append(order, k)
		}
	}
	now := l.work(order, func(_, k int) int { return l.places[k] / PerVector })
	slices.SortStableFunc(order, func(i, j int) int {
		return len(l.atoms[j].masses) - len(l.atoms[i].masses)
	})
	const worthwhile = 1.1
	if float64(now) > worthwhile*float64(l.work(order, func(i, _ int) int { return i / PerVector })) {
		l.regroup(order)
	}
}

// work estimates the time of a layer, in units of the time of a pair of tokens. The function group tells,
// for this estimate, the number of the group of lane k = order[i].
func (l *vectorTokens) work(order []int, group func(i, k int) int) (pairs int) {
	const draws = 25 // time to sample random numbers and of all else that does not depend on the atoms
	clear(l.most)
	for i, k := range order {
		g := group(i, k)
		l.most[g] = max(l.most[g], len(l.atoms[k].masses))
	}
	for _, n := range l.most {
		if n > 0 {
			pairs += draws + n*(n+1)/2
		}
	}
	return pairs
}

// regroup gives the lanes places in groups in the given order; lanes that are not in order get the places
// after these.
func (l *vectorTokens) regroup(order []int) {
	size := l.of.Count * l.of.Dim
	for _, k := range order {
		group, lane := l.at(k)
		group.get(l.states[k*size:(k+1)*size], lane, len(l.atoms[k].masses))
	}
	for i, k := range order {
		l.places[k] = i
	}
	next := len(order)
	for k := range l.places {
		if !slices.Contains(order, k) {
			l.places[k] = next
			next++
		}
	}
	for _, k := range order {
		group, lane := l.at(k)
		group.put(lane, l.states[k*size:(k+1)*size], l.atoms[k].masses)
	}
}
