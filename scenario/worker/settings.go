package main

import "time"

// settings is the worker's processor block. An id of 0 means none.
type settings struct {
	// Name is the member's name in the journal, Journal its file; empty: no journal.
	Name    string `yaml:"name"`
	Journal string `yaml:"journal"`
	// Output is the topic to copy to, partition by partition; empty: none.
	Output string `yaml:"output"`
	// Work is how long each message takes; the context is obeyed.
	Work time.Duration `yaml:"work"`
	// Stagger is added to Work once per partition number, so that partitions are not
	// in step.
	Stagger time.Duration `yaml:"stagger"`
	// Fail makes Percent of the messages of Partition fail Times times each.
	Fail struct {
		Partition int32 `yaml:"partition"`
		Percent   int64 `yaml:"percent"`
		Times     int   `yaml:"times"`
	} `yaml:"fail"`
	// Poison is the id that always fails, until the file Mended is there; with
	// PoisonTo all ids from Poison to PoisonTo do.
	Poison   int64  `yaml:"poison"`
	PoisonTo int64  `yaml:"poison_to"`
	Mended   string `yaml:"mended"`
	// Permanent is the id that fails for good; Halt the one that stops the
	// runner; Panic the one that panics once.
	Permanent int64 `yaml:"permanent"`
	Halt      int64 `yaml:"halt"`
	Panic     int64 `yaml:"panic"`
	// Block is the id whose first run ends only when the file Unblock is there,
	// whatever its context says when Stubborn is true.
	Block    int64  `yaml:"block"`
	Unblock  string `yaml:"unblock"`
	Stubborn bool   `yaml:"stubborn"`
	// Swallow makes a block that ends with its context look like a success,
	// without a copy.
	Swallow bool `yaml:"swallow"`
	// Huge is the id that sends a record of HugeBytes beside its copy; Astray the
	// one that sends to the topic AstrayTopic. With Ignore the error of the send
	// is not returned.
	Huge        int64  `yaml:"huge"`
	HugeBytes   int    `yaml:"huge_bytes"`
	Astray      int64  `yaml:"astray"`
	AstrayTopic string `yaml:"astray_topic"`
	Ignore      bool   `yaml:"ignore"`
	// Whole makes a batch with a message that fails fail as a whole; otherwise the
	// batch fails at that message.
	Whole bool `yaml:"whole"`
	// Abandon makes every message of Partition leave Goroutines behind that send to
	// AstrayTopic, look at no result and never end.
	Abandon struct {
		Partition  int32 `yaml:"partition"`
		Goroutines int   `yaml:"goroutines"`
	} `yaml:"abandon"`
	// Late is the id whose attempt sends once more after it has returned.
	Late int64 `yaml:"late"`
}
