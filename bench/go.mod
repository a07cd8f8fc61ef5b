module github.com/pitlane-go/pitlane/bench

go 1.26.0

require (
	github.com/confluentinc/confluent-kafka-go/v2 v2.15.0
	github.com/pitlane-go/pitlane v0.0.0
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/pierrec/lz4/v4 v4.1.33 // indirect
	github.com/twmb/franz-go v1.22.3 // indirect
	github.com/twmb/franz-go/pkg/kadm v1.20.0 // indirect
	github.com/twmb/franz-go/pkg/kmsg v1.15.1 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.46.0 // indirect
)

replace github.com/pitlane-go/pitlane => ../
