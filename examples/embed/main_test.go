package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/examples/internal/program"
	"github.com/pitlane-go/pitlane/kafkatest/embedded"
)

func TestMain(m *testing.M) { program.Main(m, main) }

func get(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(body))
}

func TestTheExampleAnswersWithCountsAndStopsBothParts(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	broker := embedded.Start(t, embedded.Config{Topics: map[string]int{"visits": 3}})
	var records []*embedded.Record
	for i := range 30 {
		records = append(records, &embedded.Record{Partition: embedded.ByKey, Key: []byte([]string{"home", "shop"}[i%2])})
	}
	if err := broker.Produce(t.Context(), "visits", records...); err != nil {
		t.Fatal(err)
	}
	p := program.Start(t, "-brokers", broker.Bootstrap(), "-listen", "127.0.0.1:0")
	_, url, _ := strings.Cut(p.Line(t, "visits per page: "), "visits per page: ")
	again, limit := time.NewTicker(20*time.Millisecond), time.After(time.Minute)
	defer again.Stop()
	for _, page := range []string{"home", "shop"} {
		for want := `{"visits":15}`; get(t, strings.Replace(url, "{page}", page, 1)) != want; {
			select {
			case <-again.C:
			case <-limit:
				t.Fatalf("the visits of %s did not come", page)
			}
		}
	}
	if got := get(t, strings.Replace(url, "visits/{page}", "status", 1)); !strings.Contains(got, `"topic":"visits"`) {
		t.Errorf("status %s", got)
	}
	if code := p.Stop(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	committed := map[int32]int64{}
	for _, c := range broker.Commits() {
		committed[c.Position.Partition] = c.Position.Offset
	}
	var sum int64
	for _, offset := range committed {
		sum += offset
	}
	if sum != 30 {
		t.Errorf("committed %v: %d of 30 messages", committed, sum)
	}
}
