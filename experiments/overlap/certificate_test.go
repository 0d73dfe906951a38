package overlap

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// --certify adds bounds of P(antipodal), at most 1e-12 apart, and says where none are proved.
func TestCertify(t *testing.T) {
	o := block(t, [2]string{"dim", "8"}, [2]string{"beta", "3,20.5"}, [2]string{"certify", "true"})
	table := experimenttest.Table(t, o, run.Options{})
	var text, object bytes.Buffer
	must.Do(t, o.Describe(&text, table))
	must.Do(t, o.WriteJSON(&object, table))
	var rows []map[string]any
	if err := json.Unmarshal(object.Bytes(), &rows); err != nil || len(rows) != 2 ||
		len(rows[0]) != len(New().Columns())+3 {
		t.Fatalf("%s, error %v", &object, err)
	}
	low, _ := rows[0]["p_antipodal_low"].(float64)
	high, _ := rows[0]["p_antipodal_high"].(float64)
	if literal := 0.2275077056; !(low < literal+1e-10 && literal-1e-10 < high && high-low <= 1e-12) ||
		rows[0]["proved"] != "yes" || rows[1]["proved"] != "no" || rows[1]["p_antipodal_low"] != nil {
		t.Errorf("%s", &object)
	}
	if !strings.Contains(text.String(), "proved: P(antipodal) is from 0.2275077055") ||
		!strings.Contains(text.String(), "not proved: there are proofs up to d = 100 and β = 20") {
		t.Errorf("%s", &text)
	}
	z0 := 0.0
	o.Z0 = &z0
	if r, err := o.row(5, 1.5); err != nil || !(r.Low <= 0.11366815622 && 0.11366815615 <= r.High) {
		t.Errorf("from 0: %+v, %v", r.Certificate, err)
	}
	o.Masses = [2]float64{1, 2}
	if o.certify().Inapplicable == "" {
		t.Error("unequal masses")
	}
}

// With a depth, --certify also adds bounds of β_c at that depth, which agree with another program up to its
// rounding; not in dimension 2, where there is no β_c.
func TestCertifyAtDepth(t *testing.T) {
	o := block(t, [2]string{"dim", "2,8"}, [2]string{"beta", "3"}, [2]string{"depth", "100"},
		[2]string{"certify", "true"})
	table := experimenttest.Table(t, o, run.Options{})
	var text, object bytes.Buffer
	must.Do(t, o.Describe(&text, table))
	must.Do(t, o.WriteJSON(&object, table))
	var rows []map[string]any
	if err := json.Unmarshal(object.Bytes(), &rows); err != nil || len(rows) != 2 {
		t.Fatalf("%s, error %v", &object, err)
	}
	low, _ := rows[1]["beta_c_depth_low"].(float64)
	high, _ := rows[1]["beta_c_depth_high"].(float64)
	if critical, _ := rows[1]["beta_c_depth"].(float64); !(low < high && high-low < 1e-10 &&
		math.Abs(critical-low) < 1e-10) || rows[1]["beta_c_depth_proved"] != "yes" ||
		rows[0]["beta_c_depth_proved"] != "no" || rows[0]["beta_c_depth_low"] != nil {
		t.Errorf("%s", &object)
	}
	if !strings.Contains(text.String(), "proved: β_c at this depth is from 1.2521901963") ||
		strings.Contains(text.String(), "there is no proof of β_c") {
		t.Errorf("%s", &text)
	}
}
