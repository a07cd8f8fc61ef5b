package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/consumerset/queue"
	"github.com/pitlane-go/pitlane/delivery"
)

// pollWait bounds one Poll, in milliseconds.
const pollWait = 100

// consumer makes a client with the properties of Pitlane, but that it finds its
// start offset by itself.
func consumer(do task, feed consumerset.FeedKind) (*kafka.Consumer, error) {
	conf := kafka.ConfigMap{}
	for k, v := range consumerset.Properties(consumerset.Config{
		Brokers: do.Brokers, Group: do.Group, Topics: []string{do.Input}, Partitions: do.Partitions, Feed: feed,
	}) {
		conf[k] = v
	}
	conf["auto.offset.reset"] = "earliest"
	return kafka.NewConsumer(&conf)
}

// poll is the shortest loop that a user of the client can write: it commits
// nothing.
func poll(m *meter) error {
	c, err := subscribed(m.do)
	if err != nil {
		return err
	}
	for {
		select {
		case <-m.done:
			return c.Close()
		default:
		}
		switch e := c.Poll(pollWait).(type) {
		case *kafka.Message:
			p := e.TopicPartition.Partition
			m.parts[p].note(m.id(p, int64(e.TopicPartition.Offset)))
		case kafka.Error:
			return e
		}
	}
}

func subscribed(do task) (*kafka.Consumer, error) {
	c, err := consumer(do, consumerset.FeedPoll)
	if err != nil {
		return nil, err
	}
	return c, c.SubscribeTopics([]string{do.Input}, nil)
}

// queues reads a client queue per partition, each on a goroutine of its own, into
// memory of Go: what Pitlane builds on, without a group, lanes and commits.
func queues(m *meter) (err error) {
	c, err := consumer(m.do, consumerset.FeedQueue)
	if err != nil {
		return err
	}
	hub, err := queue.NewHub(c)
	if err != nil {
		return err
	}
	var feeds []*queue.Feed
	var list []kafka.TopicPartition
	for p := range int32(m.do.Partitions) {
		f, err := hub.Open(m.do.Input, p, 0, nil)
		if err != nil {
			return err
		}
		feeds = append(feeds, f)
		list = append(list, kafka.TopicPartition{Topic: &m.do.Input, Partition: p})
	}
	if err := c.Assign(list); err != nil {
		return err
	}
	for p, f := range feeds {
		go drain(m, int32(p), f)
	}
	<-m.done
	for _, f := range feeds {
		f.Close()
		f.Disarm()
	}
	err = c.Close()
	for _, f := range feeds {
		f.Forget()
	}
	return errors.Join(err, hub.Close())
}

// readLimit is how many messages the bare loop takes at once, as a lane does.
const readLimit = 500

func drain(m *meter, p int32, f *queue.Feed) {
	for {
		select {
		case <-f.Wake():
		case <-m.done:
			return
		}
		for more := true; more; {
			msgs, again, err := f.Read(readLimit)
			if err != nil {
				return
			}
			for i := range msgs {
				m.parts[p].note(m.id(p, msgs[i].Offset))
			}
			more = again
		}
	}
}

// pollAndProduce sends every message on without waiting for the one before it, and
// counts the reports: it remembers nothing of its messages and commits nothing.
func pollAndProduce(m *meter) error {
	p, err := producer(m.do)
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	go reports(m, p, failed)
	c, err := subscribed(m.do)
	if err != nil {
		return err
	}
	for {
		select {
		case <-m.done:
			p.Close()
			return c.Close()
		case err := <-failed:
			return err
		default:
		}
		switch e := c.Poll(pollWait).(type) {
		case *kafka.Message:
			m.first()
			if err := produce(p, e, &m.do.Output); err != nil {
				return err
			}
		case kafka.Error:
			return e
		}
	}
}

func produce(p *kafka.Producer, in *kafka.Message, output *string) error {
	out := &kafka.Message{
		TopicPartition: kafka.TopicPartition{Topic: output, Partition: in.TopicPartition.Partition},
		Key:            in.Key, Value: in.Value, Headers: in.Headers, Timestamp: in.Timestamp,
		Opaque: int64(in.TopicPartition.Offset),
	}
	for {
		err := p.Produce(out, nil)
		if kafkaErr, ok := errors.AsType[kafka.Error](err); !ok || kafkaErr.Code() != kafka.ErrQueueFull {
			return err
		}
		p.Flush(1) // waits for room; the reports have a reader of their own
	}
}

// reports counts what was acknowledged.
func reports(m *meter, p *kafka.Producer, failed chan<- error) {
	for ev := range p.Events() {
		switch e := ev.(type) {
		case *kafka.Message:
			if e.TopicPartition.Error != nil {
				failed <- fmt.Errorf("a record was not delivered: %w", e.TopicPartition.Error)
				return
			}
			offset, _ := e.Opaque.(int64)
			at := e.TopicPartition.Partition
			m.parts[at].note(m.id(at, offset))
		case kafka.Error:
			failed <- e
			return
		}
	}
}

func producer(do task) (*kafka.Producer, error) {
	conf := kafka.ConfigMap{}
	for k, v := range delivery.Properties(delivery.Config{
		Properties: map[string]string{"bootstrap.servers": strings.Join(do.Brokers, ",")},
	}) {
		conf[k] = v
		if n, err := strconv.Atoi(v); err == nil && strings.HasPrefix(k, "go.") {
			conf[k] = n
		}
	}
	return kafka.NewProducer(&conf)
}
