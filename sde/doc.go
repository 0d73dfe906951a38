// Package sde simulates the tokens of deep, randomly initialised Transformers on
// the unit sphere: attention kernels, the noise of random value matrices, the
// recursions that it drives, and ensembles of trajectories in parallel.
//
// The equations are those of Fedorov, Sander, Elie, Marion and Laurière,
// Clustering in Deep Stochastic Transformers; equation numbers in comments are
// that paper's.
//
// A Cell says what a trajectory is: model, attention, noise, start. A Stepper
// advances the tokens of one trajectory by one layer and is given the layer's
// increment; it never draws. The recursions have steppers of their own; those of the
// limits in continuous time, (6) and (8), are made of a Term, what is integrated, in
// the calculus of Itô or of Stratonovich, and a scheme of that calculus. An Ensemble
// draws the increments, advances many trajectories over several workers, shows them to
// observers, and hands their rows on in the order of cells and trajectories. Coupled
// drives cells of several depths, schemes and laws by one BrownianPath, which can be
// refined.
//
// What trajectory k of a cell draws is a pure function of the seed, of the cell's
// own parameters and of k: it depends neither on the number of workers, nor on the
// horizon, nor on which other cells or trajectories are run, nor on the machine.
package sde
