package networks

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde/network"
)

// small returns an ensemble of networks of three tokens of dimension 4 in five layers with two heads, which
// read the given number of sequences.
func small(networks, sequences int) network.Ensemble {
	return network.Ensemble{Networks: networks, Sequences: sequences, Network: network.Network{Tokens: 3,
		Dim: 4, Layers: 5, Heads: 2, Width: 4}}
}

// Attention has a matrix for each head in each layer, states one for each layer and the input; both for each
// sequence.
func TestSizesOfSavedMatrices(t *testing.T) {
	for _, test := range []struct {
		saved           Saved
		sequences, want int
	}{{SavedAttention, 0, 3 * 3 * 5 * 2}, {SavedAttention, 1, 3 * 3 * 5 * 2},
		{SavedAttention, 3, 3 * 3 * 3 * 5 * 2}, {SavedStates, 0, 3 * 4 * 6},
		{SavedStates, 2, 2 * 3 * 4 * 6}} {
		e := small(7, test.sequences)
		if got := test.saved.size(&e); got != test.want {
			t.Errorf("%s of %d sequences: %d entries, want %d", test.saved, test.sequences, got, test.want)
		}
		if !test.saved.Matrices() {
			t.Errorf("%s are no matrices", test.saved)
		}
	}
	if SavedValues.Matrices() {
		t.Error("values are matrices")
	}
}

// The entries of a network are ordered by layer, sequence, head, token and column, and each has its number.
func TestEntriesOfSavedMatrices(t *testing.T) {
	for _, saved := range []Saved{SavedAttention, SavedStates} {
		e := small(7, 2)
		numbers := make([]float64, saved.size(&e))
		for k := range numbers {
			numbers[k] = float64(k)
		}
		var got []Entry
		err := saved.entries(&e, 6, numbers, func(entries []Entry) error {
			got = append(got, entries...)
			return nil
		})
		if err != nil || len(got) != len(numbers) {
			t.Fatalf("%s: %d entries, %v", saved, len(got), err)
		}
		k := 0
		next := func(layer, sequence, head, token, other int) {
			want := Entry{Network: 6, Sequence: int32(sequence), Layer: int32(layer), Head: int32(head),
				Token: int32(token), Other: int32(other), Value: float64(k)}
			if got[k] != want {
				t.Fatalf("%s: entry %d is %+v, want %+v", saved, k, got[k], want)
			}
			k++
		}
		first, last, heads, columns := 1, 5, []int{1, 2}, 3
		if saved == SavedStates {
			first, heads, columns = 0, []int{0}, 4
		}
		for layer := first; layer <= last; layer++ {
			for sequence := range 2 {
				for _, head := range heads {
					for token := 1; token <= 3; token++ {
						for other := 1; other <= columns; other++ {
							next(layer, sequence, head, token, other)
						}
					}
				}
			}
		}
		full := errors.New("no space left")
		if err := saved.entries(&e, 6, numbers, func([]Entry) error { return full }); !errors.Is(err, full) {
			t.Errorf("%s: error %v", saved, err)
		}
	}
}

// A table may have 10⁹ entries in all. Each takes 8 bytes while it is kept.
func TestNeedsOfSavedMatrices(t *testing.T) {
	p := parts{}
	for _, networks := range []int{2, 3} {
		p.all = append(p.all, Part{Ensemble: small(networks, networks)})
	}
	states := []float64{2 * 2 * 3 * 4 * 6, 3 * 3 * 3 * 4 * 6}
	var needs run.Needs
	stop := errors.New("seen")
	err := p.checkSaved(SavedStates, run.Options{Workers: 1, Preflight: func(n run.Needs) error {
		needs = n
		return stop
	}}, "networks")
	rows := states[0] + states[1]
	if !errors.Is(err, stop) || needs.Rows != rows || needs.Kept != 8*rows {
		t.Errorf("%+v of %g rows, %v", needs, rows, err)
	}
	// 72 entries of a network
	for networks, good := range map[int]bool{1_000_000_000 / 72: true, 1_000_000_000/72 + 1: false} {
		p := parts{all: []Part{{Ensemble: small(networks, 1)}}}
		err := p.checkSaved(SavedStates, run.Options{Workers: 1,
			Preflight: func(run.Needs) error { return stop }}, "networks")
		var problem *parameter.Error
		refused := errors.As(err, &problem) && problem.Parameter == "save"
		if refused == good || good && !errors.Is(err, stop) {
			t.Errorf("%d networks: %v", networks, err)
		}
	}
}

// heatOf returns the heat map of a plot.
func heatOf(t *testing.T, p *figure.Plot) figure.HeatMap {
	t.Helper()
	for _, mark := range p.Marks {
		if heat, is := mark.(figure.HeatMap); is {
			return heat
		}
	}
	t.Fatal("there is no heat map")
	return figure.HeatMap{}
}

// savedRow is a row of a table of matrices with the name of its law.
type savedRow struct {
	Law int32 `column:"law"`
	Entry
}

func lawOf(r savedRow) (string, Entry) { return fmt.Sprint("law ", r.Law), r.Entry }

// savedTable returns a table with the entries of two heads, sequences and networks of each law. The entry of
// law l and layer k at (i, j) of the first of each is value(l, k, i, j); all other entries are 1000.
func savedTable(t *testing.T, laws, layers int, value func(law, layer, i, j int) float64) *data.Table {
	t.Helper()
	table := data.NewTable(data.Schema{Columns: data.ColumnsOf[savedRow](), Metadata: []data.Entry{
		{Key: data.KeyCommand, Value: "width"}, {Key: data.KeySeed, Value: "1"}}})
	for law := range laws {
		for network := range int32(2) {
			for layer := 1; layer <= layers; layer++ {
				for _, of := range [][2]int32{{0, 1}, {0, 2}, {1, 1}, {1, 2}} { // sequence and head
					for k := range 6 {
						e := Entry{Network: network, Sequence: of[0], Layer: int32(layer), Head: of[1],
							Token: int32(k/3 + 1), Other: int32(k%3 + 1), Value: 1000}
						if network == 0 && of == [2]int32{0, 1} {
							e.Value = value(law, layer, k/3, k%3)
						}
						if err := data.WriteRows(table, savedRow{int32(law), e}); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
	}
	return table
}

// The figure shows the first network, sequence and head of up to four laws, in up to four layers, with one
// scale of colours for all.
func TestFigureOfSavedMatrices(t *testing.T) {
	for _, test := range []struct {
		laws, layers  int
		sign          float64
		low, high     float64
		titles        []string // of the first row
		rows          int
		caption, axis string
		saved         Saved
	}{
		{1, 2, 1, 0, 212, []string{"law 0\nlayer 1", "layer 2"}, 1, "attention of the first network and head",
			"key", SavedAttention},
		{2, 1, -1, -212, 212, []string{"law 0\nlayer 1"}, 2, "states of the first network", "coordinate",
			SavedStates},
		{5, 6, 1, 0, 1012, []string{"law 0\nlayer 1", "layer 2", "layer 4", "layer 6"}, 4,
			"head, at 4 of 5 settings", "key", SavedAttention},
	} {
		table := savedTable(t, test.laws, test.layers, func(law, layer, i, j int) float64 {
			return test.sign * float64(100*law+100*layer+10*i+j)
		})
		drawn, err := DrawSaved(test.saved, table, "a setting", lawOf)
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, p := range drawn.Panels[:len(test.titles)] {
			titles = append(titles, p.Plot.Title)
			if p.Plot.X.Label != test.axis || p.ToScale != (test.saved == SavedAttention) {
				t.Errorf("%+v: axis %s, to scale %v", test, p.Plot.X.Label, p.ToScale)
			}
		}
		if !slices.Equal(titles, test.titles) || len(drawn.Panels) != test.rows*len(test.titles) {
			t.Errorf("%d panels, %q, want %q in %d rows", len(drawn.Panels), titles, test.titles, test.rows)
		}
		heat := heatOf(t, drawn.Panels[0].Plot)
		if heat.Low != test.low || heat.High != test.high || heat.Roots != (test.low == 0) ||
			heat.Rows != 2 || heat.Columns != 3 || heat.Value(1, 2) != test.sign*112 ||
			heat.Value(1, 0) != test.sign*110 {
			t.Errorf("%+v: %+v with %g", test, heat, heat.Value(1, 2))
		}
		if !strings.Contains(drawn.Caption, "a setting; ") || !strings.Contains(drawn.Caption, test.caption) {
			t.Errorf("%s", drawn.Caption)
		}
	}
}

// The report has the range of the entries in the first and the last layer of each law; matrices that are not
// whole are left out, and a table without a whole one is an error.
func TestReportOfSavedMatrices(t *testing.T) {
	value := func(law, layer, i, j int) float64 { return float64(100*law+10*layer+i) - float64(j) }
	table := savedTable(t, 2, 3, value)
	for rows, want := range map[int]string{
		table.Rows(): "law 0: entries of layer 1 from 8 to 11, of layer 3 from 28 to 31.\n" +
			"law 1: entries of layer 1 from 108 to 111, of layer 3 from 128 to 131.\n",
		24 + 24 + 5: "law 0: entries of layer 1 from 8 to 11, of layer 2 from 18 to 21.\n",
		24:          "law 0: entries of layer 1 from 8 to 11.\n",
		5:           "", 0: "",
	} {
		var text strings.Builder
		err := DescribeSaved(&text, table.Slice(0, rows), lawOf)
		if text.String() != want || (err != nil) != (want == "") ||
			err != nil && !errors.Is(err, run.ErrNoRows) {
			t.Errorf("%d rows: %q, %v", rows, &text, err)
		}
		_, err = DrawSaved(SavedAttention, table.Slice(0, rows), "", lawOf)
		if (err != nil) != (want == "") {
			t.Errorf("figure of %d rows: %v", rows, err)
		}
	}
}
