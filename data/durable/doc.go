// Package durable writes files that are whole or not there, and journals of finished work: what is reported
// as written survives the end of the process at any moment.
//
//	file, err := durable.NewReplacement(path)
//	if err != nil {
//		return err
//	}
//	defer file.Abort() // nothing after Commit
//	if _, err := file.Write(content); err != nil {
//		return err
//	}
//	return file.Commit()
//
// # Promises
//
// The names in brackets are tests that check a promise.
//
// One writer. Of two that write one file the second is refused, in one process or in two;
// the lock of a dead process does not count (TestTwoWritersOfOneFile,
// TestManyWritersOfOneFile, TestJournalIsLocked; TestTwoProcesses in cmd/antipode). On
// systems without flock(2) there is no lock.
//
// Finished work. What is appended to a Journal is handed to the system at once, and is on
// the disk within a second: a process that is killed loses the pieces that it is working
// on, and nothing that is finished; a machine that loses power loses also what was finished
// within that second (TestJournalDoesNotWait, TestJournalIsSynced,
// TestJournalOfAKilledProcess; TestFinishedBlocksAreKeptAtOnce in sde). A
// journal that ends anywhere, or is damaged, gives all whole pieces before that, and nothing
// else (TestTornJournal, TestDamagedJournal).
package durable
