// Package config turns a file, the environment and flags into one validated
// value.
//
// Purpose. One table of keys (table.go) says for every setting its path, type,
// range, default and meaning, and where it is stored. The file, the
// environment, the flags, `config` on the command line and
// docs/configuration.md all come from that table, so a key cannot exist in one
// of them only.
//
// Flow. Load reads each source into small trees of nodes that know where they
// were written, decodes them over the defaults in the order file, environment,
// flags, checks what several keys say together, and then turns the tls: and
// sasl: sections into client properties.
//
// Concurrency. Load has no state; the value that it returns is not changed
// afterwards and may be read by anyone.
//
// Failure. A user's mistake is never a panic and never the only one that is
// reported: Load collects all of them into one *Error, each Problem with the
// place where it was written, what is wrong, and what to write instead.
package config
