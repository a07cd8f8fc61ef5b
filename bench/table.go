package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// table is a set of loops that are measured side by side.
type table struct {
	title     string
	loops     []string
	reference string // what ratios are taken of
	messages  int
	sends     bool

	input string
}

// markdown prints the medians. Ratios are medians of the ratios within a round.
func (t table) markdown(all map[string][]result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n%d messages of %d bytes, %d rounds.\n\n", t.title, t.messages, valueBytes, len(all[t.reference]))
	b.WriteString("| loop | thousand msg/s | CPU s per million | allocations per message | bytes allocated per message | start to first message, s | peak memory, MiB | speed to the bare loop | CPU to the bare loop | verdict |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n")
	n := float64(t.messages)
	for _, loop := range t.loops {
		rs, base := all[loop], all[t.reference]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", loop,
			spread(rs, "%.0f", func(r result) float64 { return n / r.Seconds / 1000 }),
			spread(rs, "%.2f", func(r result) float64 { return r.CPU / n * 1e6 }),
			middle(rs, "%.2f", func(r result) float64 { return float64(r.Allocations) / n }),
			middle(rs, "%.0f", func(r result) float64 { return float64(r.Bytes) / n }),
			middle(rs, "%.2f", func(r result) float64 { return r.First }),
			middle(rs, "%.0f", func(r result) float64 { return r.ResidentMiB }),
			ratio(rs, base, func(r result) float64 { return 1 / r.Seconds }),
			ratio(rs, base, func(r result) float64 { return r.CPU }),
			verdicts(rs))
	}
	return b.String()
}

func values(rs []result, of func(result) float64) []float64 {
	out := make([]float64, len(rs))
	for i, r := range rs {
		out[i] = of(r)
	}
	slices.Sort(out)
	return out
}

func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func middle(rs []result, format string, of func(result) float64) string {
	return fmt.Sprintf(format, median(values(rs, of)))
}

// spread is the median with the lowest and the highest.
func spread(rs []result, format string, of func(result) float64) string {
	v := values(rs, of)
	return fmt.Sprintf(format+" ("+format+" to "+format+")", median(v), v[0], v[len(v)-1])
}

// ratio is the median of the ratios of two loops, round by round.
func ratio(rs, base []result, of func(result) float64) string {
	out := make([]float64, len(rs))
	for i := range rs {
		out[i] = of(rs[i]) / of(base[i])
	}
	slices.Sort(out)
	return fmt.Sprintf("%.2f", median(out))
}

// verdicts joins those that differ.
func verdicts(rs []result) string {
	var out []string
	for _, r := range rs {
		if !slices.Contains(out, r.Verdict) {
			out = append(out, r.Verdict)
		}
	}
	return strings.Join(out, "; ")
}

// machine says what the figures were measured on.
func machine(o options) string {
	_, version := kafka.LibraryVersion()
	return fmt.Sprintf("%s, %d cores, %s, librdkafka %s, %d broker(s) on the same machine, load %s\n",
		processorName(), runtime.NumCPU(), runtime.Version(), version, o.brokers, load())
}

// processorName is the model that the kernel names.
func processorName() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// load is the machine's load average of the last minute.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
