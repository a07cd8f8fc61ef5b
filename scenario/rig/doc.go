// Package rig is what the scenarios share: clusters that live as long as the
// test binary, the processes under test, numbered input, and the gathering of a
// history.
//
// A Suite belongs to a test package and is made in TestMain; it builds the
// binaries once and starts each size of cluster when a test first asks. A Rig
// belongs to one test and has topics and a group of its own. All methods that
// take a *testing.T fail it.
package rig
