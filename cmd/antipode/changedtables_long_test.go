//go:build long

package main

// changedTables is the number of changed tables that TestChangedTables tries for each golden table.
const changedTables = 100
