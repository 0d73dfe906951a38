// Package sde simulates the tokens of deep, randomly initialised Transformers on the unit sphere: attention,
// the noise of random value matrices, the recursions over layers that are driven by this noise, and ensembles
// of trajectories that run in parallel.
//
//	cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1.5, Depth: 100,
//		Start: sde.UniformStart{}}
//	outcomes := map[sphere.Outcome]int{}
//	ensemble := sde.Ensemble[sphere.Outcome]{
//		Cells: []sde.Cell{cell}, Trajectories: 1000, Layers: 20 * 100, Seed: 1,
//		Observer: func(int) func(row *sphere.Outcome, v *sde.View) {
//			return func(row *sphere.Outcome, v *sde.View) { *row, _ = v.Outcome(1e-3) }
//		},
//		Reduce: func(_ int, _ int64, row sphere.Outcome) error {
//			outcomes[row]++
//			return nil
//		},
//	}
//	err := ensemble.Run(context.Background())
//
// The simulated equations are those of Fedorov, Sander, Elie, Marion and Laurière, Clustering in Deep
// Stochastic Transformers; comments of this package cite the equations by the numbers of this paper.
//
// A Cell specifies a trajectory: a Model with its own parameters, the attention, the number and dimension of
// the tokens, the depth and the start. A Stepper advances the tokens of one trajectory by one layer, given
// the random increment of the layer. A Stepper draws no random numbers itself. Each recursion has its own
// stepper. The steppers of the limits in continuous time, (6) and (8), combine a Term, which is the equation
// in Itô or Stratonovich form, with a numerical scheme for this form. An Ensemble samples the increments and
// advances many trajectories on several goroutines. An Ensemble shows a View of each trajectory to an
// observer, which fills a row of results, and to a stop rule. The rows of an Ensemble are delivered in the
// order of cells and trajectories. Package brownian couples cells of several depths, schemes and laws on one
// Brownian path. Internal packages compute a layer of tokens; these packages do not know cells or ensembles.
// Package internal/attention computes the attention of the tokens of a trajectory. Package
// internal/increments samples the random value matrices or amplitudes of a layer. Package internal/steppers
// contains the recursions, the equations and their schemes.
//
// User-defined attention is a PairKernel or a Kernel. The weights of a PairKernel are a function of the score
// alone. The weights of a Kernel depend on the scores of a token with all tokens; computing a Kernel takes
// several times as long as computing a PairKernel.
//
// Two tokens, or two clusters of coincident tokens, can be simulated without vectors in d dimensions: the
// method Chain simulates only their overlap, which then has the same law as in the recursion. Chains, and the
// tokens of the recursions (4) and (7), are advanced by vector (SIMD) instructions, whose lanes hold many
// trajectories side by side (package internal/lanes). The environment variable ANTIPODE_CPU (generic, avx2 or
// avx512) chooses the instruction set. All instruction sets give the same bits. Tokens that coincide may
// merge into one atom with a mass. Once only two clusters of a trajectory are left, it may continue as a
// chain of their overlap.
//
// The random numbers of trajectory k of a cell are a pure function of the seed, the cell's parameters and k.
// The random numbers of a trajectory depend neither on the number of workers, nor on the horizon, nor on
// which other cells or trajectories are run, nor on the machine.
package sde
