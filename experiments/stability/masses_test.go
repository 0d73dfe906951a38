package stability

import "testing"

func TestMassPairs(t *testing.T) {
	pairs := [][2]int{{1, 2}}
	value := massPairs{&pairs}
	for _, bad := range []string{"", "1", "1,", "1,2,3", "1,2/", "/1,2", "1,2/1,2", "0,1", "-1,2",
		"1,1001", "1.5,2", "1;2", "x"} {
		if err := value.Set(bad); err == nil || len(pairs) != 1 {
			t.Errorf("%q: %v, error %v", bad, pairs, err)
		}
	}
	if err := value.Set("1,3/ 2, 1"); err != nil || value.String() != "1,3/2,1" {
		t.Errorf("%v, error %v", value, err)
	}
}
