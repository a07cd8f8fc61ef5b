package config

import (
	"fmt"
	"os"
	"strings"
)

// applySecurity turns tls and sasl into client properties, and reports what is
// missing for them. A password from the environment wins over its file.
func applySecurity(c *Config, p *problems) {
	t := &c.TLS
	t.Enabled = t.Enabled || t.CA != "" || t.Cert != "" || t.Key != "" || t.KeyPasswordFile != "" || t.keyPassword != "" || t.InsecureSkipVerify
	s := securityWriter{config: c, problems: p}
	if t.Enabled {
		s.tls(t)
	}
	s.sasl(&c.SASL)
	if protocol := c.protocol(); protocol != "" {
		s.set("tls.enabled", "security.protocol", protocol)
	}
}

// protocol is the client's security.protocol, or "" for its default.
func (c *Config) protocol() string {
	switch {
	case c.TLS.Enabled && c.SASL.Mechanism != "":
		return "SASL_SSL"
	case c.TLS.Enabled:
		return "SSL"
	case c.SASL.Mechanism != "":
		return "SASL_PLAINTEXT"
	}
	return ""
}

type securityWriter struct {
	config   *Config
	problems *problems
}

func (s securityWriter) tls(t *TLS) {
	s.file("tls.ca", t.CA)
	s.file("tls.cert", t.Cert)
	s.file("tls.key", t.Key)
	if (t.Cert == "") != (t.Key == "") {
		s.problems.add(s.config.later("tls.cert", "tls.key"), "tls", "has one of cert and key without the other", "set both, or neither")
	}
	s.set("tls.ca", "ssl.ca.location", t.CA)
	s.set("tls.cert", "ssl.certificate.location", t.Cert)
	s.set("tls.key", "ssl.key.location", t.Key)
	s.set("tls.key_password_file", "ssl.key.password", s.secret("tls.key_password_file", t.KeyPasswordFile, t.keyPassword))
	if t.InsecureSkipVerify {
		s.set("tls.insecure_skip_verify", "enable.ssl.certificate.verification", "false")
	}
}

func (s securityWriter) sasl(a *SASL) {
	if a.Mechanism == "" && hasProblem(s.problems, "sasl.mechanism") {
		return
	}
	if a.Mechanism == "" {
		for _, key := range []string{"sasl.username", "sasl.password_file", "sasl.password"} {
			if at, set := s.config.origins[key]; set {
				s.problems.add(at, key, "is set without sasl.mechanism", "set that too: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512")
			}
		}
		return
	}
	at := s.config.origins["sasl.mechanism"]
	password := s.secret("sasl.password_file", a.PasswordFile, a.password)
	if a.Username == "" {
		s.problems.add(at, "sasl.username", "is not set", "sasl.mechanism needs it")
	}
	if password == "" && !hasProblem(s.problems, "sasl.password_file") {
		s.problems.add(at, "sasl.password_file", "is not set", "set it, or the variable PITLANE_SASL_PASSWORD")
	}
	s.set("sasl.mechanism", "sasl.mechanism", a.Mechanism)
	s.set("sasl.username", "sasl.username", a.Username)
	s.set("sasl.password_file", "sasl.password", password)
}

// set writes one client property, unless the user has written it as well.
func (s securityWriter) set(key, property, value string) {
	if value == "" {
		return
	}
	client := &s.config.Runner.Client
	path := string(RoleClient) + "." + property
	if at, twice := s.config.origins[path]; twice {
		s.problems.add(at, path, "is set by "+key+" too", "keep one of them")
		return
	}
	if *client == nil {
		*client = map[string]string{}
	}
	(*client)[property] = value
}

// secret gives the value from the environment, or else the content of the file.
func (s securityWriter) secret(key, path, fromEnv string) string {
	if fromEnv != "" || path == "" {
		return fromEnv
	}
	text, err := os.ReadFile(path)
	at := s.config.origins[key]
	if err != nil {
		s.problems.add(at, key, fmt.Sprintf("%s cannot be read: %s", path, reason(err)), "")
		return ""
	}
	value := strings.TrimRight(string(text), "\r\n")
	if value == "" {
		s.problems.add(at, key, path+" is empty", "write the password into it")
	}
	return value
}

// file reports a file that the client could not read either, with its place.
func (s securityWriter) file(key, path string) {
	if path == "" {
		return
	}
	f, err := os.Open(path)
	if err != nil {
		s.problems.add(s.config.origins[key], key, fmt.Sprintf("%s cannot be read: %s", path, reason(err)), "")
		return
	}
	_ = f.Close()
}
