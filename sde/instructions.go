package sde

import "antipode/sde/internal/kernels"

// CheckInstructions is an error of one line if the environment variable ANTIPODE_CPU names no
// instruction set of this machine. Until it does no ensemble runs.
func CheckInstructions() error { return kernels.Err }
