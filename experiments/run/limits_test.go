package run

import (
	"context"
	"errors"
	"math"
	"testing"

	"antipode/experiments/parameter"
	"antipode/internal/domaintest"
	"antipode/sde"
)

// A length that is negative, or larger than the following bytes can hold, is an error, and no memory is
// allocated for it.
func TestLengthsOfADamagedPiece(t *testing.T) {
	float := AppendFloat(nil, 1.5)
	for name, bytes := range map[string][]byte{
		"negative":         append(AppendInt(nil, -1), float...),
		"least":            append(AppendInt(nil, math.MinInt64), float...),
		"too long":         append(AppendInt(nil, 9), float...),
		"much too long":    append(AppendInt(nil, 1<<40), float...),
		"one too many":     append(AppendInt(nil, 2), float...),
		"cut short":        append(AppendInt(nil, 1), float[:7]...),
		"no end":           {0x80, 0x80},
		"after a row":      append(AppendFloats(nil, []float64{2}), AppendInt(nil, 3)...),
		"nothing after it": AppendInt(nil, 1),
	} {
		if rows, err := Floats.rows(bytes); err != errShort {
			t.Errorf("%s: %v, error %v", name, rows, err)
		}
	}
	if rows, err := Floats.rows(append(AppendInt(nil, 1), float...)); err != nil || len(rows) != 1 ||
		len(rows[0]) != 1 || rows[0][0] != 1.5 {
		t.Errorf("%v, error %v", rows, err)
	}
	d := &Decoder{bytes: []byte{1}}
	if d.Float(); d.err != errShort || d.Byte() != 0 || d.Int() != 0 || d.Length() != 0 || d.Float() != 0 {
		t.Errorf("after error %v numbers go on", d.err)
	}
}

// lengthy runs a shard of a run that would take about ten years as a whole.
func lengthy(part sde.Part, preflight func(Needs) error) error {
	cell := sde.Cell{Model: sde.Flow{}, Tokens: 2, Dim: 3, Beta: 1, Depth: 10, Start: sde.UniformStart{}}
	e := &sde.Ensemble[[]float64]{Cells: []sde.Cell{cell}, Trajectories: 1e9, Layers: 1,
		Observer: func(int) func(*[]float64, *sde.View) {
			return func(*[]float64, *sde.View) {}
		},
		Reduce: func(int, int64, []float64) error { return nil },
	}
	e.Layers = int64(10 * endlessRun / e.Seconds())
	options := Options{Part: part, Preflight: preflight, Workers: 1}
	s := Simulation[[]float64]{Ensemble: e, Codec: Floats, Parameters: fixed(), Size: "dim",
		Rows: []float64{1000}, KeptBytes: 8}
	return s.Run(context.Background(), options)
}

// A shard needs its part of the time and the memory of the whole run. For a run of ten years, the error of
// the whole run names the number of trajectories, and one shard of 10^5 is not refused.
func TestShardCostsItsPart(t *testing.T) {
	enough := errors.New("enough")
	var needs Needs
	preflight := func(n Needs) error { needs = n; return enough }
	var problem *parameter.Error
	err := lengthy(sde.Part{}, preflight)
	if !errors.As(err, &problem) || problem.Parameter != "trajectories" {
		t.Errorf("the whole run: %v", err)
	}
	err = lengthy(sde.Part{Number: 3, Of: 100_000}, preflight)
	if err != enough {
		t.Errorf("the shard: %v", err)
	}
	if want := 1e9 * 8 / 1e5; !(math.Abs(needs.Kept/want-1) <= 1e-3) || needs.Rows != 1000 {
		t.Errorf("the shard needs %+v, want %v bytes of completed work", needs, want)
	}
	// The speed is measured, on a machine that may be busy. If the part were ignored the ratio would be 10^5.
	if ratio := needs.Seconds / (endlessRun / 1e4); ratio > 1e3 || ratio < 1e-3 {
		t.Errorf("the shard needs %.3g times the seconds of its part", ratio)
	}
}

// priced is a run with a given need of memory, whose time is counted when it is asked for.
type priced struct {
	memory float64
	asked  *int
}

func (p priced) Memory() float64  { return p.memory }
func (p priced) Seconds() float64 { *p.asked++; return 8 }

// The time of a run is measured only if the run fits into memory, up to 16 GiB themselves. A shard needs its
// share of the time.
func TestTimeOfRunsThatFit(t *testing.T) {
	for memory, measured := range map[float64]int{1: 1, 1 << 34: 1, domaintest.Above(1 << 34): 0} {
		asked, allowed := 0, 0
		preflight := func(n Needs) error {
			if allowed++; n.Seconds != 2 || n.Rows != 3 {
				t.Errorf("needs %+v", n)
			}
			return nil
		}
		err := checkCost(priced{memory, &asked}, 0.25, Needs{Rows: 3}, Options{Preflight: preflight},
			fixed(), "dim")
		if (err == nil) != (measured == 1) || asked != measured || allowed != measured {
			t.Errorf("%v bytes: %v, measured %d times, allowed %d times", memory, err, asked, allowed)
		}
	}
}

// A seed is a whole number of 64 bits without a sign. A text that is none leaves the seed as it is.
func TestSeedsInTexts(t *testing.T) {
	for text, allowed := range map[string]bool{
		"0": true, "18446744073709551615": true, "18446744073709551616": false, "-1": false, "1.5": false,
		"": false, "x": false,
	} {
		seed := uint64(7)
		value := SeedParameter(&settable{}, &seed).Value
		err := value.Set(text)
		if (err == nil) != allowed || allowed && value.String() != text || !allowed && seed != 7 ||
			value.Check() != nil {
			t.Errorf("%q: %v, seed %d", text, err, seed)
		}
	}
}
