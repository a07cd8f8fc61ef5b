package admin

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// MayReadGroup tells whether the principal may use a group: nil, or an error that
// wraps ErrNotAuthorized; any other error means that it could not be found out.
// The group need not exist. What is asked for is READ, which joining and
// committing need, when the brokers tell the rights (2.3 and newer), and else that
// the group can be described.
func (c *Client) MayReadGroup(ctx context.Context, group string) error {
	asked := "describe group " + group
	result, err := ask(ctx, c, asked, func(ctx context.Context, limit time.Duration) (kafka.DescribeConsumerGroupsResult, error) {
		return c.admin.DescribeConsumerGroups(ctx, []string{group},
			kafka.SetAdminRequestTimeout(limit), kafka.SetAdminOptionIncludeAuthorizedOperations(true))
	})
	if err != nil {
		return err
	}
	for _, d := range result.ConsumerGroupDescriptions {
		// Newer brokers answer so for a group that nobody has joined yet.
		if d.Error.Code() == kafka.ErrGroupIDNotFound {
			return nil
		}
		if err := failed(asked, d.Error); err != nil {
			return err
		}
		if !mayRead(d.AuthorizedOperations) {
			return fmt.Errorf("read group %s: the principal lacks READ on it: %w", group, ErrNotAuthorized)
		}
	}
	return nil
}

// mayRead reads the rights; brokers that do not tell them send none.
func mayRead(operations []kafka.ACLOperation) bool {
	return len(operations) == 0 ||
		slices.Contains(operations, kafka.ACLOperationRead) ||
		slices.Contains(operations, kafka.ACLOperationAll)
}
