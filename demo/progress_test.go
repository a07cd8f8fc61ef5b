package demo

import (
	"errors"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/demo/live"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

func at(partition int32, position int64, holds ...pause.Hold) standing {
	return standing{processor.Partition{Topic: "in", Partition: partition}, position, holds}
}

func TestRowsSayHowFarAndHowFast(t *testing.T) {
	p, now := newProgress(), time.Unix(1000, 0)
	end := func(partition int32) int64 { return []int64{500, 90}[partition] }
	var rows []live.Row
	for i := range int64(20) { // 10 messages every 100 ms, then nothing
		rows = p.rows(now.Add(time.Duration(i)*100*time.Millisecond), []standing{at(1, 100), at(0, i*10)}, end)
	}
	want := []live.Row{{Name: "in 0", Position: 190, Lag: 310, Rate: 100}, {Name: "in 1", Position: 100}}
	if len(rows) != 2 || rows[0] != want[0] || rows[1] != want[1] {
		t.Errorf("rows %+v, want %+v", rows, want)
	}
	for i := range int64(30) {
		rows = p.rows(now.Add(time.Duration(20+i)*100*time.Millisecond), []standing{at(0, 190)}, end)
	}
	if rows[0].Rate != 0 {
		t.Errorf("rate %v after three seconds without a move", rows[0].Rate)
	}
}

func TestRowsShowTheHoldThatEndsLast(t *testing.T) {
	now := time.Unix(1000, 0)
	row := newProgress().rows(now, []standing{at(
		0, 5,
		pause.Hold{Reason: pause.Drain, Until: now.Add(time.Second)},
		pause.Hold{Reason: pause.Retry, Until: now.Add(3 * time.Second), Attempt: 4, Cause: errors.New("no luck")},
	)}, func(int32) int64 { return 5 })[0]
	if row.Hold != "retry" || row.Attempt != 4 || row.Left != 3*time.Second || row.Cause != "no luck" {
		t.Errorf("row %+v", row)
	}
	row = newProgress().rows(now, []standing{at(0, 5, pause.Hold{Reason: pause.Paused})}, func(int32) int64 { return 5 })[0]
	if row.Hold != "paused" || row.Left != 0 {
		t.Errorf("row %+v", row)
	}
}
