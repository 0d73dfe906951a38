//go:build !long

package main

// changedTables is how many changed tables of each command are tried.
const changedTables = 2
