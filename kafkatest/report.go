package kafkatest

import (
	"fmt"
	"slices"
	"strings"
)

// Report is what Check found.
type Report struct {
	// Inputs, Runs, Outputs and Commits count what was judged.
	Inputs, Runs, Outputs, Commits int
	// UnknownOutputs counts outputs whose input is not in the history.
	UnknownOutputs int
	// Duplicates counts the copies beyond the first of each input in each
	// output topic.
	Duplicates int
	// Bound is how many duplicates the failures of this history explain: for
	// each failure, what was started since the last acknowledged commit.
	Bound int
	// Findings holds the first findings of each name, in the order found.
	Findings []Verdict

	counts  map[Name]int
	options Options
}

// Count returns how many verdicts of this name there are.
func (r *Report) Count(n Name) int { return r.counts[n] }

// Find returns the findings of this name that kept their evidence.
func (r *Report) Find(n Name) []Verdict {
	var out []Verdict
	for _, v := range r.Findings {
		if v.Name() == n {
			out = append(out, v)
		}
	}
	return out
}

// Violations returns the names of the verdicts that break the run's promises,
// sorted.
func (r *Report) Violations() []Name {
	var out []Name
	for n, c := range r.counts {
		if c > 0 && r.options.violates(n) {
			out = append(out, n)
		}
	}
	if r.tooManyDuplicates() && !slices.Contains(out, NameDuplicate) {
		out = append(out, NameDuplicate)
	}
	slices.Sort(out)
	return out
}

func (r *Report) tooManyDuplicates() bool {
	switch r.options.Duplicates {
	case DuplicatesNone:
		return r.Duplicates > 0
	case DuplicatesAny:
		return false
	case DuplicatesBounded:
	}
	return r.Duplicates > r.Bound
}

// Err returns nil if the run kept its promises, else a *CheckError with the
// violations and their evidence.
func (r *Report) Err() error {
	bad := r.Violations()
	if len(bad) == 0 {
		return nil
	}
	var b strings.Builder
	for _, v := range r.Findings {
		if slices.Contains(bad, v.Name()) {
			b.WriteString("\n  " + v.String())
		}
	}
	return &CheckError{Summary: r.String(), Detail: b.String()}
}

// String returns the counts: lost, out_of_order and duplicates always, the
// other verdicts when there are any.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "lost=%d out_of_order=%d duplicates=%d", r.counts[NameLost], r.counts[NameOutOfOrder], r.Duplicates)
	if r.Duplicates > 0 {
		fmt.Fprintf(&b, " bound=%d", r.Bound)
	}
	var rest []Name
	for n := range r.counts {
		switch n {
		case NameLost, NameOutOfOrder, NameDuplicate:
		default:
			rest = append(rest, n)
		}
	}
	slices.Sort(rest)
	for _, n := range rest {
		fmt.Fprintf(&b, " %s=%d", n, r.counts[n])
	}
	return b.String()
}

// report adds a verdict; say is called only if its evidence is kept.
func (r *Report) report(v Verdict, say func() (string, []string)) {
	if r.counts[v.Name()]++; r.counts[v.Name()] > r.options.MaxFindings {
		return
	}
	f := v.finding()
	f.What, f.Excerpt = say()
	r.Findings = append(r.Findings, v)
}
