package cluster

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kadm"
)

// metadata asks a broker each time. The admin client's own Metadata answers from a
// cache, which never asks again for the list of brokers; the request for
// authorized operations goes round it.
func (c *Cluster) metadata(ctx context.Context, topic string) (kadm.Metadata, error) {
	m, err := c.admin.Metadata(kadm.WithAuthorizedOps(ctx), topic)
	if err != nil {
		return m, fmt.Errorf("read metadata: %w", err)
	}
	return m, nil
}
