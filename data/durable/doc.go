// Package durable writes files that are either complete or absent, and journals of finished work. Data that
// package durable reports as written is not lost if the process ends at any moment.
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
// The names in brackets are the names of tests that check a promise.
//
// One writer. If two writers write the same file, in one process or in two, the second writer is refused. The
// lock of a process that has ended does not count (TestTwoWritersOfOneFile, TestManyWritersOfOneFile,
// TestJournalIsLocked; TestTwoProcesses in cmd/antipode). On systems without flock(2) files are not locked.
//
// Finished work. A piece of work that is appended to a Journal is handed to the operating system at once, and
// is on the disk within a second. A killed process loses the pieces of work in progress but no finished
// piece. If the machine loses power, pieces that were finished within the last second are lost too
// (TestJournalDoesNotWait, TestJournalIsSynced, TestJournalOfAKilledProcess; TestFinishedBlocksAreKeptAtOnce
// in sde). If a journal is cut short or damaged, all complete pieces before the cut or the damage can be
// read, and nothing else (TestTornJournal, TestDamagedJournal).
package durable
