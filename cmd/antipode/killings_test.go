//go:build !long

package main

// killings is how often a run is killed and goes on.
const killings = 4
