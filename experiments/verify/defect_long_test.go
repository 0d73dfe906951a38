//go:build long

package verify

import (
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/sde"
	"antipode/sde/network"
)

// slowDefects are defects that are refuted by claims that take seconds.
var slowDefects = []defect{
	{"equal clusters with unequal weights", cells(func(c *sde.Cell) {
		if c.Start == (sde.OppositeStart{First: 2, Second: 2}) {
			c.Start = sde.OppositeStart{First: 1, Second: 3}
		}
	}), []string{"conjecture: parted at time 50, d=4 β=1.5 masses 2,2"}},

	{"b of a covariance with the other sign", cells(func(c *sde.Cell) {
		if m, recursion := c.Model.(sde.Transformer); recursion {
			m.Covariance.B = -m.Covariance.B
			c.Model = m
		}
	}), []string{"covariance-ends", "covariance-law", "covariance-flow"}},

	{"softmax without its normalisation", cells(func(c *sde.Cell) {
		if c.Attention == sde.Softmax {
			c.Attention = sde.Unnormalized
			louder(c, float64(c.Tokens))
		}
	}), []string{"eq15-rate"}},

	{"an MLP of half the strength", cells(func(c *sde.Cell) { c.MLP.Strength *= 0.5 }),
		[]string{"mlp-depth", "mlp-stationary", "mlp-lifetime"}},

	{"pre-activations of a quarter of the variance", cells(func(c *sde.Cell) { c.MLP.Variance /= 4 }),
		[]string{"mlp-stationary"}},

	{"an MLP of a strength that grows with its width", cells(func(c *sde.Cell) {
		c.MLP.Strength *= max(1, float64(c.MLP.Width))
	}), []string{"mlp-width"}},

	{"values of twice the size beside many tokens", cells(func(c *sde.Cell) {
		if c.Tokens >= 64 {
			louder(c, 2)
		}
	}), []string{"crowd-rate", "crowd-time"}},

	{"attention that feels the number of tokens", cells(func(c *sde.Cell) {
		if c.Tokens == 256 {
			c.Beta = 0
		}
	}), []string{"crowd-chaos"}},

	{"β of 1 for 1000", cells(func(c *sde.Cell) { c.Beta = min(c.Beta, 1) }), []string{"crowd-sides"}},

	{"variance of V 60 % off", cells(func(c *sde.Cell) { louder(c, math.Sqrt(1.6)) }), []string{
		"masses-lifetime", "masses-decay", "thm1-weak", "horizon-law", "lemma6-unattained", "fig9-metastable",
	}},

	{"a larger β", cells(func(c *sde.Cell) { c.Beta *= 1.5 }), []string{
		"depth-threshold", "thm2-probability", "fig8-wording", "fig3-depth",
	}},

	{"query weights 30 % too large", networksWith(func(n *network.Network) { n.QueryKey2 *= 1.3 * 1.3 }),
		[]string{"networks-result2", "input-gradient", "temperature"}},

	{"half the residual strength", networksWith(func(n *network.Network) { n.AlphaSA *= 0.5 }),
		[]string{"networks-cosine", "networks-trainability"}},

	{"variance of V twice too large", cells(func(c *sde.Cell) { louder(c, math.Sqrt2) }),
		[]string{"resampled-ends"}},

	{"Bᵀ for B in the recursion", cells(func(c *sde.Cell) {
		if _, recursion := c.Model.(sde.Transformer); recursion && c.Interaction != nil {
			transposed := make([]float64, len(c.Interaction))
			for k, entry := range c.Interaction {
				transposed[k%c.Dim*c.Dim+k/c.Dim] = entry
			}
			c.Interaction = transposed
		}
	}), []string{"thm1-paths-matrix"}},

	{"scores without their random part", cells(func(c *sde.Cell) { c.Resampling.Spread = 0 }),
		[]string{"resampled-law"}},

	{"noise that is not common", cells(func(c *sde.Cell) {
		if m, recursion := c.Model.(sde.Transformer); recursion {
			c.Model, c.Method = sde.TransformerSDE{Sigma: m.Sigma, Noise: sde.IndependentNoise}, sde.Tokens
		}
	}), []string{"lemma6-unattained: slope of ln(1-Z) of tokens, recursion"}},

	{"theory of the next dimension", func(s *subject) {
		s.diffusion = nextDimension
	}, []string{
		"fig3-horizon", "thm2-probability", "fig3-depth", "horizon-law",
		"lemma6-unattained: mean time from 1-Z = 1e-8 to 1e-12",
	}},

	{"query weights 20 % too large", func(s *subject) {
		s.network = func(n network.Network) network.Network {
			n.QueryKey2 *= 1.2 * 1.2
			return n
		}
	}, []string{"temperature: τ², ρ=0", "uniform-gradients"}},
}

// Every claim refutes some defect; claims on training have defects in other tests.
func TestEveryClaimHasADefect(t *testing.T) {
	refuted := map[string]bool{}
	for _, d := range slices.Concat(defects, slowDefects) {
		for _, comparison := range d.refuted {
			id, _, _ := strings.Cut(comparison, ": ")
			refuted[id] = true
		}
	}
	for _, c := range Claims() {
		if c.Set != Training && !refuted[c.ID] {
			t.Errorf("no defect for %s", c.ID)
		}
	}
}

// powerSeeds is the number of seeds that TestPowerOfClaims tries; 20 would take ten minutes of processor
// time.
const powerSeeds = 3

// Each claim refutes each of its defects at all seeds but one at most. A claim must refute a defect with
// probability 0.99, and then fails this test with probability 0.0003.
func TestPowerOfClaims(t *testing.T) {
	for _, d := range slices.Concat(defects, slowDefects) {
		t.Run(d.name, func(t *testing.T) {
			counts := map[string]int{}
			for seed := range uint64(powerSeeds) {
				for id, verdict := range d.verdicts(t, seed+1) {
					if verdict == fails {
						counts[id]++
					}
				}
			}
			for _, refuted := range d.refuted {
				if id, _, _ := strings.Cut(refuted, ": "); counts[id] < powerSeeds-1 {
					t.Errorf("%s refutes it at %d of %d seeds", id, counts[id], powerSeeds)
				}
			}
		})
	}
}
