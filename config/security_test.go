package config_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/config"
)

func TestSecurityBecomesClientProperties(t *testing.T) {
	t.Parallel()
	password := write(t, "password", "hunter2\n")
	ca := write(t, "ca.pem", "x")
	for name, tc := range map[string]struct {
		yaml string
		want map[string]string
	}{
		"none": {yaml: "log: {level: info}", want: nil},
		"tls with the authorities of the system": {
			yaml: "tls: {enabled: true}",
			want: map[string]string{"security.protocol": "SSL"},
		},
		"tls and sasl": {
			yaml: fmt.Sprintf("tls: {ca: %s}\nsasl: {mechanism: SCRAM-SHA-512, username: svc, password_file: %s}", ca, password),
			want: map[string]string{
				"security.protocol": "SASL_SSL", "ssl.ca.location": ca,
				"sasl.mechanism": "SCRAM-SHA-512", "sasl.username": "svc", "sasl.password": "hunter2",
			},
		},
		"sasl alone": {
			yaml: fmt.Sprintf("sasl: {mechanism: PLAIN, username: svc, password_file: %s}", password),
			want: map[string]string{
				"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.username": "svc", "sasl.password": "hunter2",
			},
		},
		"certificate of the client": {
			yaml: fmt.Sprintf("tls: {cert: %s, key: %s, key_password_file: %s, insecure_skip_verify: true}", ca, ca, password),
			want: map[string]string{
				"security.protocol": "SSL", "ssl.certificate.location": ca, "ssl.key.location": ca,
				"ssl.key.password": "hunter2", "enable.ssl.certificate.verification": "false",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := load(t, minimal+tc.yaml+"\n", config.Sources{})
			if !maps.Equal(c.Runner.Client, tc.want) {
				t.Errorf("got %v, want %v", c.Runner.Client, tc.want)
			}
		})
	}
}

func TestThePasswordOfTheEnvironmentWins(t *testing.T) {
	t.Parallel()
	text := minimal + fmt.Sprintf("sasl: {mechanism: PLAIN, username: svc, password_file: %s}\n", write(t, "password", "old"))
	c := load(t, text, config.Sources{Env: []string{"PITLANE_SASL_PASSWORD=new"}})
	if got := c.Runner.Client["sasl.password"]; got != "new" {
		t.Errorf("password %q", got)
	}
}

func TestSecretsAreNeverShown(t *testing.T) {
	t.Parallel()
	text := minimal + `
sasl: {mechanism: PLAIN, username: svc}
client: {ssl.keystore.password: hunter2, ssl.key.pem: hunter2, ssl.key.location: /k.pem}
processor: {url: here, api_token: hunter2, deep: [{password: hunter2}]}
`
	c := load(t, text, config.Sources{Env: []string{"PITLANE_SASL_PASSWORD=hunter2", "PITLANE_TLS_KEY_PASSWORD=hunter2"}})
	shown := fmt.Sprint(c.Values())
	if strings.Contains(shown, "hunter2") {
		t.Errorf("a secret is shown: %s", shown)
	}
	for _, open := range []string{"/k.pem", "svc", "here", config.Redacted} {
		if !strings.Contains(shown, open) {
			t.Errorf("%q is not shown: %s", open, shown)
		}
	}
}
