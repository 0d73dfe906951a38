package verify

var signal = []Claim{
	{"result1", Propagation, "Result 1", "attention is spread below β_c = √(2/(q(q-p))), where tokens collapse, and condensed above", result1},
	{"participation", Propagation, "(12)", "participation ratios are those of the random energy model, Poisson-Dirichlet as T → ∞", participation},
	{"attention-map", Propagation, "(14)", "a layer takes the norm to p+(q-p)Y₂, the overlap to p+(q-p)Y, with rows of T tokens", attentionMap},
	{"phi-s", Propagation, "B.2.3", "the cosine behind a layer is ρ/(ρ+(1-ρ)Y₂), not ρ/(1+(1-ρ)Y₂) as there", phiS},
	{"residual", Propagation, "(15), B.5.1", "a residual connection adds α²q and α²p; with α²p for both, as in B.5.1, none helps", residual},
	{"result2", Propagation, "Result 2, (39)", "query gradients: the bracket is (q-p)(Y₂-2Y₃+E(Y₂)²) ≥ 0; as printed it may be negative", result2},
	{"entropy-share", Propagation, "(33)", "below β_c the entropy of a row per log T is 1-β²/β_c², not 1-β²/β_c", entropyShare},
	{"moment-exponent", Propagation, "(34)", "below β_c/√3 Y₂ is of the order T^(2β²/β_c²-1), not T^(β²/β_c²-1)", momentExponent},
	{"bert-beta", Propagation, "version 1, B.1", "BERT-base at T = 512 starts at β = 0.123, not 0.016", bertBeta},
	{"kernels", Propagation, "(16)", "the kernels of the MLP: arc-cosine for relu, arcsine for erf, tanh and gelu", kernelsOfActivations},
	{"collapse", Propagation, "Section 4", "with relu and spread attention cosine 1 is the only fixed point of a block", collapse},
	{"trainability", Propagation, "Algorithm 1", "signal passes 60 layers from a residual strength α_c on, if attention is spread", trainability},
	{"chaos", Propagation, "C.4", "with tanh in its chaotic phase a block has a stable fixed point below cosine 1", chaos},
}
