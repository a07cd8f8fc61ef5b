package kafkatest_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pitlane-go/pitlane/kafkatest"
)

// broker is the truth that a generated run is made of: a correct runner works on
// one partition, with failures of all kinds.
type broker struct {
	*story
	t         *rapid.T
	n         int64 // messages of the input
	settled   int64 // all below it
	committed int64
	owner     who
}

// correctRun generates the history of a runner that keeps its promises.
func correctRun(t *rapid.T) *broker {
	b := &broker{story: tell(), t: t, n: rapid.Int64Range(4, 24).Draw(t, "messages")}
	b.produced(0, b.n)
	b.takeOver()
	for b.settled < b.n {
		switch rapid.IntRange(0, 9).Draw(t, "step") {
		case 0:
			b.retry()
		case 1:
			b.rewind()
		case 2:
			b.commit()
		case 3:
			b.kill()
		case 4:
			b.handOver()
		default:
			b.settle()
		}
	}
	b.commit()
	return b
}

func (b *broker) settle() {
	b.ran(b.owner, b.settled)
	b.settled++
}

// retry lets one unit fail, sometimes after it has sent its record.
func (b *broker) retry() {
	b.start(b.owner, b.settled)
	if rapid.Bool().Draw(b.t, "sent") {
		b.output(0, b.settled)
	}
	b.end(b.owner, b.settled, kafkatest.OutcomeFailed)
	b.settle()
}

// rewind lets a delivery fail while later units have been processed.
func (b *broker) rewind() {
	ahead := min(rapid.Int64Range(0, 3).Draw(b.t, "ahead"), b.n-1-b.settled)
	first := b.settled
	b.start(b.owner, first).end(b.owner, first, kafkatest.OutcomeOK)
	for o := first + 1; o <= first+ahead; o++ {
		b.ran(b.owner, o)
	}
	b.failed(0, first)
	for o := first; o <= first+ahead; o++ {
		b.settle()
	}
}

func (b *broker) commit() {
	if b.settled > b.committed {
		b.committed = b.settled
		b.story.committed(0, b.committed)
	}
}

// kill stops the member in the middle of a unit; the next one starts at the commit.
func (b *broker) kill() {
	b.start(b.owner, b.settled)
	b.killed(b.owner.member)
	b.settled = b.committed
	b.takeOver()
}

func (b *broker) handOver() {
	b.story.owner(kafkatest.KindRevoked, b.owner.member, b.owner.epoch, 0)
	b.commit()
	b.takeOver()
}

func (b *broker) takeOver() {
	b.owner = who{[]string{"a", "b"}[b.owner.epoch%2], b.owner.epoch + 1, 0}
	b.assigned(b.owner.member, b.owner.epoch, 0)
}

func TestCheckAcceptsEveryCorrectRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := correctRun(t)
		for _, o := range []kafkatest.Options{{}, {Ordering: kafkatest.Unordered}, {Filter: true}} {
			if err := kafkatest.Check(b.History, o).Err(); err != nil {
				t.Fatalf("options %+v: %v", o, err)
			}
		}
	})
}

// mutation breaks a history in one way.
type mutation struct {
	want   kafkatest.Name
	mutate func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event
}

func pick(t *rapid.T, es []kafkatest.Event, match func(kafkatest.Event) bool) int {
	var at []int
	for i, e := range es {
		if match(e) {
			at = append(at, i)
		}
	}
	return rapid.SampledFrom(at).Draw(t, "event")
}

func without(es []kafkatest.Event, match func(kafkatest.Event) bool) []kafkatest.Event {
	return slices.DeleteFunc(slices.Clone(es), match)
}

func of(kind kafkatest.Kind, offset int64) func(kafkatest.Event) bool {
	return func(e kafkatest.Event) bool { return e.Kind == kind && e.Input.Offset == offset }
}

func mutations() map[string]mutation {
	middle := func(t *rapid.T, b *broker) int64 { return rapid.Int64Range(1, b.n-2).Draw(t, "offset") }
	return map[string]mutation{
		"drop all outputs of a message": {kafkatest.NameLost, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			return without(es, of(kafkatest.KindOutput, middle(t, b)))
		}},
		"repeat an output beyond the bound": {kafkatest.NameDuplicate, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			last := es[pick(t, es, of(kafkatest.KindOutput, b.n-1))]
			for range kafkatest.Check(b.History, kafkatest.Options{}).Bound + 1 {
				last.Output.Offset = b.outEnd[0]
				b.outEnd[0]++
				es = append(es, last)
			}
			return es
		}},
		"never run a message": {kafkatest.NameSkipped, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			o := middle(t, b)
			return without(without(es, of(kafkatest.KindStart, o)), of(kafkatest.KindEnd, o))
		}},
		"append an old output": {kafkatest.NameOutOfOrder, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			e := es[pick(t, es, of(kafkatest.KindOutput, middle(t, b)))]
			e.Output.Offset = b.outEnd[0]
			return append(es, e)
		}},
		"commit first": {kafkatest.NameCommittedPastUnsettled, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			e := es[len(es)-1] // the last commit
			e.At, e.LogPosition = es[0].At, 0
			return append(es, e)
		}},
		"commit less at the end": {kafkatest.NameOffsetBack, func(t *rapid.T, _ *broker, es []kafkatest.Event) []kafkatest.Event {
			e := es[len(es)-1]
			e.Input.Offset, e.LogPosition = e.Input.Offset-1, e.LogPosition+1
			return append(es, e)
		}},
		"end nothing": {kafkatest.NameNoProgress, func(t *rapid.T, _ *broker, es []kafkatest.Event) []kafkatest.Event {
			return without(es, func(e kafkatest.Event) bool { return e.Kind == kafkatest.KindEnd })
		}},
		"run beside another member": {kafkatest.NameOverlap, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			i := pick(t, es, func(e kafkatest.Event) bool { return e.Kind == kafkatest.KindStart })
			stranger := es[i]
			stranger.Member = "stranger"
			return slices.Insert(slices.Clone(es), i+1, stranger)
		}},
		"acknowledge what is not there": {kafkatest.NameLostWrite, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			return append(es, acked(middle(t, b), b.outEnd[0]+1))
		}},
		"jump": {kafkatest.NameSkippedByPoll, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			o := middle(t, b)
			owner := es[pick(t, es, of(kafkatest.KindStart, o))]
			for _, beside := range []int64{o - 1, o + 1} {
				if !slices.ContainsFunc(es, func(e kafkatest.Event) bool {
					return of(kafkatest.KindStart, beside)(e) && e.Epoch == owner.Epoch
				}) {
					t.Skip("the assignment starts or ends here")
				}
			}
			return without(es, func(e kafkatest.Event) bool {
				return e.Input.Offset == o && e.Epoch == owner.Epoch && (e.Kind == kafkatest.KindStart || e.Kind == kafkatest.KindEnd)
			})
		}},
		"step back without a failure": {kafkatest.NameNonMonotonicPoll, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			i := len(es) - 1
			again := es[pick(t, es, func(e kafkatest.Event) bool {
				return e.Kind == kafkatest.KindStart && e.Input.Offset == b.n-1 && e.Epoch == b.owner.epoch
			})]
			again.At = es[i].At
			return slices.Insert(slices.Clone(es), i, again)
		}},
		"give another id": {kafkatest.NameInconsistentOffset, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			es = slices.Clone(es)
			es[pick(t, es, func(e kafkatest.Event) bool { return e.Kind == kafkatest.KindStart })].ID = 5
			return es
		}},
		"produce twice": {kafkatest.NameDuplicateWrite, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			e := es[pick(t, es, of(kafkatest.KindProduced, middle(t, b)))]
			e.Input.Offset = b.n
			return append(es, e)
		}},
		"produce after the end": {kafkatest.NameUnseen, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			return append(es, kafkatest.Event{Kind: kafkatest.KindProduced, At: es[0].At, ID: id(0, b.n), Input: in(0, b.n)})
		}},
		"write late": {kafkatest.NameLateWrite, func(t *rapid.T, b *broker, es []kafkatest.Event) []kafkatest.Event {
			es = slices.Clone(es)
			for i := range es {
				if es[i].Kind == kafkatest.KindOutput {
					es[i].Member, es[i].Generation = "a", 2
				}
			}
			e := es[pick(t, es, of(kafkatest.KindOutput, middle(t, b)))]
			e.Output.Offset, e.Generation = b.outEnd[0], 1
			return append(es, e)
		}},
	}
}

func TestCheckNamesEveryMutation(t *testing.T) {
	for name, m := range mutations() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				b := correctRun(t)
				h := kafkatest.NewHistory()
				for _, e := range m.mutate(t, b, events(b.History)) {
					h.Add(e)
				}
				r := kafkatest.Check(h, kafkatest.Options{Forbid: []kafkatest.Name{kafkatest.NameLateWrite}})
				if !slices.Contains(r.Violations(), m.want) {
					t.Fatalf("violations %q, want %q\n%s", r.Violations(), m.want, r)
				}
			})
		})
	}
}
