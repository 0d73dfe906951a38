package training

import (
	"slices"
	"testing"
)

// Every epoch contains every example once, in its own order, which depends on the seed and not on earlier
// requests. Each of six examples is about equally often at each place: χ² with 25 degrees of freedom over
// 6000 epochs is below 65, which fails by chance for one seed in 5·10^4.
func TestOrder(t *testing.T) {
	const count, epochs = 6, 6000
	o := newOrder(3, count)
	var seen [count][count]float64
	var first []int64
	for epoch := range int64(epochs) {
		var all []int64
		for k := range int64(count) {
			index := o.at(epoch*count + k)
			all = append(all, index)
			seen[k][index]++
		}
		if epoch == 2 {
			first = slices.Clone(all)
		}
		slices.Sort(all)
		if !slices.Equal(all, []int64{0, 1, 2, 3, 4, 5}) {
			t.Fatalf("epoch %d: %v", epoch, all)
		}
	}
	square := 0.0
	for k := range count {
		for _, n := range seen[k] {
			square += (n - 1000) * (n - 1000) / 1000
		}
	}
	if square > 65 {
		t.Errorf("χ² = %v: %v", square, seen)
	}
	again, other := newOrder(3, count), newOrder(4, 1000)
	for k := range int64(count) {
		if got := again.at(2*count + k); got != first[k] {
			t.Errorf("position %d: %d, asked for alone %d", k, first[k], got)
		}
	}
	if o := newOrder(3, 1000); o.at(0) == other.at(0) && o.at(1) == other.at(1) && o.at(2) == other.at(2) {
		t.Error("the same order with another seed")
	}
	if o := newOrder(3, 0); o.at(1<<39) != 1<<39 {
		t.Error("data without end is in another order")
	}
}
