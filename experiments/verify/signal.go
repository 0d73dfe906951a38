package verify

var signal = []Claim{
	{
		"result1", Propagation, "Result 1",
		"attention is spread below β_c = √(2/(q(q-p))), where tokens collapse, and condensed above",
		"a critical β without the norms of the tokens; a layer that is spread above or condensed below it", result1,
	},
	{
		"participation", Propagation, "(12)",
		"participation ratios are those of the random energy model, Poisson-Dirichlet as T → ∞",
		"a quadrature over rows that is wrong at T tokens, or a limit that is not Poisson-Dirichlet", participation,
	},
	{
		"attention-map", Propagation, "(14)",
		"a layer takes the norm to p+(q-p)Y₂, the overlap to p+(q-p)Y, with rows of T tokens",
		"a norm or overlap behind attention that is computed from the limit, or with q and p exchanged", attentionMap,
	},
	{
		"phi-s", Propagation, "B.2.3",
		"the cosine behind a layer is ρ/(ρ+(1-ρ)Y₂), not ρ/(1+(1-ρ)Y₂) as there",
		"the printed cosine, with 1 for ρ", phiS,
	},
	{
		"residual", Propagation, "(15), B.5.1",
		"a residual connection adds α²q and α²p; with α²p for both, as in B.5.1, none helps",
		"α for α², or α²p for α²q; LayerNorm behind attention in place of before it", residual,
	},
	{
		"result2", Propagation, "Result 2, (39)",
		"query gradients: the bracket is (q-p)(Y₂-2Y₃+E(Y₂)²) ≥ 0; as printed it may be negative",
		"the printed bracket, without the last term's gap; a missing power of q-p", result2,
	},
	{
		"entropy-share", Propagation, "(33)",
		"below β_c the entropy of a row per log T is 1-β²/β_c², not 1-β²/β_c",
		"β²/β_c for (β/β_c)²; an entropy in another base", entropyShare,
	},
	{
		"moment-exponent", Propagation, "(34)",
		"below β_c/√3 Y₂ is of the order T^(2β²/β_c²-1), not T^(β²/β_c²-1)",
		"an exponent without the factor 2, as in (34)", momentExponent,
	},
	{
		"bert-beta", Propagation, "version 1, B.1",
		"BERT-base at T = 512 starts at β = 0.123, not 0.016",
		"d_H for d in the variance of a score, or √log T taken twice", bertBeta,
	},
	{
		"kernels", Propagation, "(16)",
		"the kernels of the MLP: arc-cosine for relu, arcsine for erf, tanh and gelu",
		"a kernel in closed form or by quadrature that is not E φ(x)φ(y)", kernelsOfActivations,
	},
	{
		"collapse", Propagation, "Section 4",
		"with relu and spread attention cosine 1 is the only fixed point of a block",
		"a map of a block that does not keep equal tokens equal, or whose iteration ends elsewhere", collapse,
	},
	{
		"trainability", Propagation, "Algorithm 1",
		"signal passes 60 layers from a residual strength α_c on, if attention is spread",
		"a map that is not the printed algorithm's, a wrong root, or verdicts exchanged", trainability,
	},
	{
		"chaos", Propagation, "C.4",
		"with tanh in its chaotic phase a block has a stable fixed point below cosine 1",
		"fixed points that are not those of the iteration, or only the one at cosine 1", chaos,
	},
}
