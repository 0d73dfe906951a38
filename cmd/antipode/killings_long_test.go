//go:build long

package main

// killings is how often TestKilledAtAnyInstant kills a run, in two halves.
const killings = 50
