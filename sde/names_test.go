package sde

import (
	"encoding/json"
	"strings"
	"testing"
)

// named lists the values of every enumeration with their names in JSON.
type named struct {
	Attention Attention
	Law       Law
	Method    Method
	Noise     Noise
	Scheme    Scheme
}

func TestNamesInJSON(t *testing.T) {
	const text = `{"Attention":"unnormalized","Law":"truncated-normal","Method":"chain",` +
		`"Noise":"independent","Scheme":"rk4"}`
	value := named{Unnormalized, TruncatedNormal, Chain, IndependentNoise, RK4}
	if got, err := json.Marshal(value); err != nil || string(got) != text {
		t.Errorf("%s, %v; want %s", got, err, text)
	}
	var read named
	if err := json.Unmarshal([]byte(text), &read); err != nil || read != value {
		t.Errorf("%+v, %v; want %+v", read, err, value)
	}
	for name, want := range map[string]string{
		"Attention": `attention "cubic": must be one of softmax, unnormalized`,
		"Law":       `law "cubic": must be one of gaussian, uniform, truncated-normal, rademacher`,
		"Method":    `method "cubic": must be one of tokens, chain`,
		"Noise":     `noise "cubic": must be one of common, independent`,
		"Scheme":    `scheme "cubic": must be one of euler, geodesic, heun, rk4`,
	} {
		read = value
		err := json.Unmarshal([]byte(`{"`+name+`":"cubic"}`), &read)
		if err == nil || !strings.Contains(err.Error(), want) || read != value {
			t.Errorf("error %v, want %q; value %+v", err, want, read)
		}
	}
	for _, value := range []named{{Attention: 2}, {Law: 4}, {Method: 2}, {Noise: -1}, {Scheme: 4}} {
		if text, err := json.Marshal(value); err == nil || !strings.Contains(err.Error(), "must be one of") {
			t.Errorf("%+v is marshalled as %s, error %v", value, text, err)
		}
	}
}

// Each model has a name of its own, the one that is listed.
func TestModelNames(t *testing.T) {
	for k, name := range []string{"transformer", "hybrid", "flow", "transformer-sde", "hybrid-sde"} {
		if got := everyModel[k].String(); got != name || ModelNames[k] != name {
			t.Errorf("model %d is %s and listed as %s, want %s", k, got, ModelNames[k], name)
		}
	}
}

// A limit has all parameters that the model has, none of which is a default here.
func TestLimits(t *testing.T) {
	mixed := Covariance{A: 0.8, B: 0.6, C: 0.3}
	equation := TransformerSDE{0.7, Heun, IndependentNoise, mixed}
	for model, want := range map[Model]Model{
		Transformer{Rademacher, 0.7, mixed}: TransformerSDE{Sigma: 0.7, Covariance: mixed},
		Hybrid{Uniform, 1.2}:                HybridSDE{Epsilon: 1.2},
		Flow{RK4}:                           Flow{RK4},
		equation:                            equation,
		HybridSDE{1.2, Geodesic, IndependentNoise}: HybridSDE{1.2, Geodesic, IndependentNoise},
	} {
		if got := model.Limit(); got != want {
			t.Errorf("%#v: limit %#v, want %#v", model, got, want)
		}
	}
}
