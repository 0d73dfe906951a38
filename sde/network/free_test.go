package network

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"antipode/sde/internal/rowwise"
)

// freelyAttending returns a network with free attention.
func freelyAttending(a Attention) Network {
	n := small(PreNorm, GELU)
	n.Attention, n.KeyDim, n.Projection, n.Projection2 = a, 0, true, 0.7
	return n
}

// Initially free scores are normal with mean 0 and variance QueryKey2, within five standard errors. They
// differ between layers unless layers share them. Free weights are initially the identity, and so are
// projections with that law.
func TestFreeAttentionAtFirst(t *testing.T) {
	n := freelyAttending(FreeScores)
	n.Tokens, n.Input, n.QueryKey2 = 60, Gaussian, math.Ln2
	transformer, err := New(n, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	var layers [][]float64
	for l := 1; l <= n.Layers; l++ {
		free, ok := transformer.LayerParameter(l, "attention.free.weight")
		if !ok || len(free) != 2*60*60 {
			t.Fatalf("%d free scores", len(free))
		}
		count := float64(len(free))
		if got := rowwise.Dot(free, free) / count; !(math.Abs(got/0.6931471805599453-1) <=
			5*math.Sqrt(2/count)) {
			t.Errorf("mean square %v", got)
		}
		if got := rowwise.Sum(free) / count; !(math.Abs(got) <= 5*math.Sqrt(math.Ln2/count)) {
			t.Errorf("mean %v", got)
		}
		layers = append(layers, free)
	}
	if reflect.DeepEqual(layers[0], layers[1]) || reflect.DeepEqual(layers[0][:60*60], layers[0][60*60:]) {
		t.Error("layers or heads have the same free scores")
	}
	if _, ok := transformer.LayerParameter(1, "attention.query.weight"); ok {
		t.Error("there are queries")
	}

	n = freelyAttending(FreeWeights)
	n.Projections, n.Projection2, n.SharedKeys = IdentityValues, 2.25, true
	if transformer, err = New(n, 1, 1); err != nil {
		t.Fatal(err)
	}
	for _, p := range transformer.Parameters {
		factor, ok := map[string]float64{
			"attention.free.weight": 1, "layers.2.attention.projection.weight": 1.5,
		}[p.Name]
		for k, v := range p.Value {
			want := 0.0
			if k/p.Cols%p.Cols == k%p.Cols {
				want = factor
			}
			if ok && v != want {
				t.Errorf("%s: entry %d is %v, want %v", p.Name, k, v, want)
			}
		}
	}
	w := transformer.Workspace(Batch{})
	w.Forward(sequence(n, n.Tokens, rand.New(rand.NewPCG(1, 2))))
	for _, a := range w.Layer(2).Attention {
		for k, v := range a.Data {
			if want := map[bool]float64{true: 1}[k/n.Tokens == k%n.Tokens]; v != want {
				t.Errorf("weight %d is %v", k, v)
			}
		}
	}
}

// Networks without free attention keep the random numbers that they had before free attention existed:
// those of the hash of this text, which does not mention it. Other networks have their own random
// numbers.
func TestFreeAttentionLeavesRandomNumbersAlone(t *testing.T) {
	n := small(PostNorm, GELU)
	const text = "network {Tokens:5 Dim:8 Layers:0 Norm:post-norm " +
		"LayerNorm:{Centred:false Affine:false Epsilon:0} " +
		"AlphaSA:0.6 AlphaMLP:0.9 BranchSA:1 BranchMLP:1 Heads:2 KeyDim:3 Causal:false Uniform:false " +
		"GainControl:false Projection:false Biases:false TiedKeys:false SharedKeys:false " +
		"SharedValues:false Values:gaussian AttentionOnly:false Width:8 Activation:gelu " +
		"QueryKey2:1.5 Value2:0.8 Projection2:0 " +
		"Hidden2:1.3 Output2:0.7 Bias2:0.2 Input:simplex Q:1.2 P:0.3 Embedding:{Vocabulary:0 Features:0 " +
		"Class:false Positions:none Types:0 Norm:false Variance:0} FinalNorm:false Outputs:0 Late:0 Ends:0}"
	hash := sha256.Sum256([]byte(text))
	if got, want := n.id(), binary.LittleEndian.Uint64(hash[:]); got != want {
		t.Errorf("%x, want %x", got, want)
	}
	other := n
	other.Projections = IdentityValues
	if n.id() == other.id() || freelyAttending(FreeScores).id() == freelyAttending(FreeWeights).id() {
		t.Error("different networks have the same random numbers")
	}
}
