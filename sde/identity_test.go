package sde

import "testing"

// The addresses of random numbers, and of the Brownian paths that coupled cells share, are those of version
// 0.3: with other addresses, a seed would give other trajectories.
func TestAddressesAreAsTheyWere(t *testing.T) {
	const transformer, hybrid, flow = 0xcba74153b81094d5, 0x8374469db1609bd7, 0xcb20c1fcc0a35449
	const transformerApart, hybridApart = 0x26dedb28d55322d9, 0x44d53834187042ec
	cell := Cell{Tokens: 3, Dim: 4, Beta: 1.5, Depth: 100, Start: OppositeStart{1, 2}}
	for _, c := range []struct {
		model    Model
		id, path uint64
	}{
		{Transformer{Law: Gaussian, Sigma: 0.7}, 0x870045a9a92f005, transformer},
		{Transformer{Law: Uniform, Sigma: 0.7}, 0xac4dee7a0fd8d2d0, transformer},
		{Transformer{Law: TruncatedNormal, Sigma: 0.7}, 0xa1add5ca48cdc170, transformer},
		{Transformer{Law: Rademacher, Sigma: 0.7}, 0x6409c19b741e3ab, transformer},
		{Hybrid{Gaussian, 1.2}, 0x69010c6209ce54ef, hybrid},
		{Hybrid{Uniform, 1.2}, 0xfdde2023550cf41c, hybrid},
		{Hybrid{TruncatedNormal, 1.2}, 0xfa49fbb5c7adcbb8, hybrid},
		{Hybrid{Rademacher, 1.2}, 0xb32d912e805d63d1, hybrid},
		{Flow{Euler}, 0x314aeb50d2467057, flow},
		{Flow{RK4}, 0x68c62a0986419219, flow},
		{TransformerSDE{Sigma: 0.7, Scheme: Euler, Noise: CommonNoise}, 0x7fd075d2bbdf2a3a, transformer},
		{TransformerSDE{Sigma: 0.7, Scheme: Euler, Noise: IndependentNoise}, 0xfb051bd4ba4f3f46,
			transformerApart},
		{TransformerSDE{Sigma: 0.7, Scheme: Geodesic, Noise: CommonNoise}, 0x649689333a365160, transformer},
		{TransformerSDE{Sigma: 0.7, Scheme: Geodesic, Noise: IndependentNoise}, 0x582de0488695dcfd,
			transformerApart},
		{TransformerSDE{Sigma: 0.7, Scheme: Heun, Noise: CommonNoise}, 0xf0f0ee90ecf6809e, transformer},
		{TransformerSDE{Sigma: 0.7, Scheme: Heun, Noise: IndependentNoise}, 0x7fe46386c66f78e6,
			transformerApart},
		{HybridSDE{1.2, Euler, CommonNoise}, 0x4c18c7eaf6aa169b, hybrid},
		{HybridSDE{1.2, Euler, IndependentNoise}, 0xc7a9ff9cd35b0692, hybridApart},
		{HybridSDE{1.2, Geodesic, CommonNoise}, 0x9d8ccf7d2fef6cd3, hybrid},
		{HybridSDE{1.2, Geodesic, IndependentNoise}, 0x805c6b62c6044c8b, hybridApart},
		{HybridSDE{1.2, Heun, CommonNoise}, 0xf003e48b856c2057, hybrid},
		{HybridSDE{1.2, Heun, IndependentNoise}, 0xada00e620aa162df, hybridApart},
	} {
		cell.Model = c.model
		if id, path := cell.ID(), cell.PathID(25); id != c.id || path != c.path {
			t.Errorf("%#v: addresses %#x and %#x, want %#x and %#x", c.model, id, path, c.id, c.path)
		}
	}
	cell.Model, cell.Method, cell.Attention = Transformer{Law: Gaussian, Sigma: 0.7}, Chain, Unnormalized
	if id := cell.ID(); id != 0xaaed9884c871b999 {
		t.Errorf("chain of unnormalized attention: address %#x", id)
	}
}
