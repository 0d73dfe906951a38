package figure

import "testing"

func TestShownRows(t *testing.T) {
	for _, rows := range []int{1, 2, mostPoints, mostPoints + 1, 123_456} {
		shown := ShownRows(rows)
		if len(shown) != min(rows, mostPoints) || shown[0] != 0 || shown[len(shown)-1] != rows-1 {
			t.Errorf("%d rows: %d shown, from %d to %d", rows, len(shown), shown[0], shown[len(shown)-1])
		}
		for k := range len(shown) - 1 {
			if shown[k+1] <= shown[k] {
				t.Fatalf("%d rows: row %d after row %d", rows, shown[k+1], shown[k])
			}
		}
	}
}
