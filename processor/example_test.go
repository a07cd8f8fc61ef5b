package processor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

// A processor is a value with one method. The error says what follows.
func ExampleFunc() {
	errGone := errors.New("image is gone")
	resize := processor.Func(func(_ context.Context, m *processor.Message) error {
		switch string(m.Key) {
		case "gone":
			return processor.Skip(errGone)
		case "busy":
			return processor.RetryAfter(time.Minute, errors.New("store asks for a break"))
		}
		return nil
	})
	for _, key := range []string{"cat.png", "gone", "busy"} {
		err := processor.Call(context.Background(), resize, &processor.Message{Key: []byte(key)})
		fmt.Println(key, processor.Classify(err).Class)
	}
	// Output:
	// cat.png none
	// gone skip
	// busy transient
}

// Of several outcomes the safest wins, wherever they are in the error.
func ExampleClassify() {
	skip := processor.Skip(errors.New("no such user"))
	fmt.Println(processor.Classify(skip).Class)
	fmt.Println(processor.Classify(fmt.Errorf("look up user: %w", skip)).Class)
	fmt.Println(processor.Classify(errors.Join(skip, errors.New("connection reset"))).Class)
	fmt.Println(processor.Classify(errors.Join(skip, processor.Stop(errors.New("disk full")))).Class)
	// Output:
	// skip
	// skip
	// transient
	// stop
}

// What is below the index succeeded; the message at the index goes its own way.
func ExampleFailedAt() {
	store := processor.BatchFunc(func(_ context.Context, b *processor.Batch) error {
		for i, m := range b.Messages {
			if len(m.Value) == 0 {
				return processor.FailedAt(i, processor.DeadLetter(errors.New("empty value")))
			}
		}
		return nil
	})
	batch := &processor.Batch{Topic: "events", Messages: []*processor.Message{
		{Value: []byte("a")}, {Value: []byte("b")}, {Value: []byte{}},
	}}
	err := processor.CallBatch(context.Background(), store, batch)
	verdict := processor.Classify(err)
	fmt.Println(err)
	fmt.Println(verdict.Class, verdict.FailedAt)
	// Output:
	// message 2 of the batch: permanent: empty value
	// permanent 2
}

// A topic without a processor is a mistake in the configuration: it stops.
func ExampleByTopic() {
	show := func(what string) processor.Processor {
		return processor.Func(func(_ context.Context, m *processor.Message) error {
			fmt.Printf("%s: %s\n", what, m.Value)
			return nil
		})
	}
	p := processor.ByTopic(map[string]processor.Processor{
		"orders":   show("order"),
		"payments": show("payment"),
	})
	for _, topic := range []string{"orders", "payments", "parcels"} {
		if err := p.Process(context.Background(), &processor.Message{Topic: topic, Value: []byte("7")}); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// order: 7
	// payment: 7
	// route message: no processor for topic "parcels"; there are processors for: orders, payments
}

// Each assignment of a partition gets a value of its own, so the counter needs no
// lock.
func ExamplePerPartition() {
	p := processor.PerPartition(func(part processor.Partition) processor.Processor {
		n := 0
		return processor.Func(func(context.Context, *processor.Message) error {
			n++
			fmt.Printf("%s [%d]: message %d\n", part.Topic, part.Partition, n)
			return nil
		})
	})
	// What a runner does at an assignment:
	first := processor.ForPartition(p, processor.Partition{Topic: "in", Partition: 0})
	second := processor.ForPartition(p, processor.Partition{Topic: "in", Partition: 1})
	for _, q := range []processor.Processor{first, second, first} {
		_ = q.Process(context.Background(), &processor.Message{})
	}
	// Output:
	// in [0]: message 1
	// in [1]: message 1
	// in [0]: message 2
}

// The function gets the decoded value. What cannot be decoded is permanent.
func ExampleJSON() {
	type payment struct{ Amount int }
	p := processor.JSON(func(_ context.Context, _ *processor.Message, v *payment) error {
		fmt.Println("amount", v.Amount)
		return nil
	})
	for offset, value := range []string{`{"amount": 12}`, `{"amount": "twelve"}`} {
		m := &processor.Message{Topic: "payments", Offset: int64(offset), Value: []byte(value)}
		if err := p.Process(context.Background(), m); err != nil {
			fmt.Println(processor.Classify(err).Class, err)
		}
	}
	// Output:
	// amount 12
	// permanent decode value of payments [0] offset 1: JSON string in field "Amount" does not fit int
}

// Any decoder will do.
func ExampleTyped() {
	words := func(value []byte, into *[]string) error {
		*into = strings.Fields(string(value))
		return nil
	}
	p := processor.Typed(words, func(_ context.Context, _ *processor.Message, w *[]string) error {
		if w == nil {
			fmt.Println("deleted")
			return nil
		}
		fmt.Println(len(*w), "words")
		return nil
	}, processor.WithTombstones())
	_ = p.Process(context.Background(), &processor.Message{Value: []byte("to be or not")})
	_ = p.Process(context.Background(), &processor.Message{})
	// Output:
	// 4 words
	// deleted
}

// Middleware goes around every processor, also around those that are made per
// assignment.
func ExampleWrap() {
	announce := func(inner processor.Processor) processor.Processor {
		return processor.Func(func(ctx context.Context, m *processor.Message) error {
			fmt.Println("before", m.Offset)
			err := inner.Process(ctx, m)
			fmt.Println("after", m.Offset, err)
			return err
		})
	}
	fail := processor.Func(func(context.Context, *processor.Message) error { return errors.New("no luck") })
	_ = processor.Wrap(fail, announce).Process(context.Background(), &processor.Message{Offset: 5})
	// Output:
	// before 5
	// after 5 no luck
}

// A panic is an error like any other; the stack is beside it, not in its text.
func ExampleCall() {
	p := processor.Func(func(_ context.Context, m *processor.Message) error {
		fmt.Println(m.Headers[3].Key)
		return nil
	})
	err := processor.Call(context.Background(), p, &processor.Message{})
	var panicked *processor.PanicError
	fmt.Println(errors.As(err, &panicked), err)
	// Output:
	// true panic: runtime error: index out of range [3] with length 0
}
