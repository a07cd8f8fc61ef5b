package config

import (
	"github.com/pitlane-go/pitlane/runner"
)

// Config is the validated configuration of one process.
type Config struct {
	// Runner is what runner.New takes. Its Client properties carry the TLS and
	// SASL settings, secrets included: show it with Redact only.
	Runner runner.Config
	// Ordering is the ordering of units; partition is the only one.
	Ordering string
	// Log says how the process logs.
	Log Log
	// TLS and SASL are the security settings as they were given.
	TLS  TLS
	SASL SASL
	// Processor is the processor's own block.
	Processor Block

	origins map[string]Origin
}

// Log says how the process logs.
type Log struct {
	// Level is debug, info, warn or error.
	Level string
	// Format is auto (console on a terminal, else json), console or json.
	Format string
}

// TLS says how connections to the brokers are encrypted.
type TLS struct {
	// Enabled is true when any other field is set.
	Enabled bool
	// CA, Cert and Key are files in PEM form. Without CA the system's
	// authorities are trusted.
	CA, Cert, Key string
	// KeyPasswordFile holds the key's password; the environment may carry the
	// password itself.
	KeyPasswordFile string
	// InsecureSkipVerify accepts any certificate.
	InsecureSkipVerify bool

	keyPassword string
}

// SASL says how the process authenticates to the brokers.
type SASL struct {
	// Mechanism is PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512; empty is none.
	Mechanism string
	Username  string
	// PasswordFile holds the password; the environment may carry the password
	// itself.
	PasswordFile string

	password string
}

// Value is the effective value of one key.
type Value struct {
	// Key is the path; for a raw client property the section and its name.
	Key string
	// Value is a string, bool, int, float64, []any or map[string]any. Durations
	// and sizes are strings with their unit. A secret is redacted.
	Value any
	// Origin is where it was written.
	Origin Origin
}

// Values gives every effective value, in the order of the documentation.
func (c *Config) Values() []Value {
	var out []Value
	for _, k := range Keys() {
		if p, ok := k.codec.(propertiesCodec); ok {
			out = append(out, p.values(c, k.Path)...)
			continue
		}
		v := k.codec.show(c)
		if k.Secret && v != "" {
			v = Redacted
		}
		out = append(out, Value{Key: k.Path, Value: v, Origin: c.origins[k.Path]})
	}
	return out
}
