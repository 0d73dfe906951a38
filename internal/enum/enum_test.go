package enum

import "testing"

type color int8

func TestNames(t *testing.T) {
	names := []string{"red", "green"}
	for k, want := range map[color]string{0: "red", 1: "green", 2: "color(2)", -1: "color(-1)"} {
		if got := Name(names, k, "color"); got != want {
			t.Errorf("%d: %s, want %s", k, got, want)
		}
		text, err := Marshal(names, k, "color")
		if named := k == 0 || k == 1; (err == nil) != named || named && string(text) != want {
			t.Errorf("%d: %s, %v", k, text, err)
		}
	}
	c := color(0)
	if err := Unmarshal(names, &c, "color", []byte("green")); err != nil || c != 1 {
		t.Errorf("%v, %v", c, err)
	}
	const want = `color "blue": must be one of red, green`
	if err := Unmarshal(names, &c, "color", []byte("blue")); err == nil || err.Error() != want || c != 1 {
		t.Errorf("%v, error %v", c, err)
	}
}
