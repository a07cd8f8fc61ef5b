package cluster

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Files of a formatted data directory. The checkpoint holds the feature levels and
// is the same for all brokers.
const (
	metaFile       = "meta.properties"
	metadataDir    = "__cluster_metadata-0"
	checkpointFile = metadataDir + "/00000000000000000000-0000000000.checkpoint"
)

// format makes the brokers' data directories. Kafka's tool formats the first; the
// others differ only in the ids of their meta.properties, so two more starts of
// Java are saved.
func format(ctx context.Context, j *jvm, nodes []*node) error {
	first := nodes[0]
	err := j.tool(ctx, "kafka.tools.StorageTool", "format", "--ignore-formatted", "-t", clusterID, "-c", first.configFile())
	if err != nil {
		return fmt.Errorf("format broker 1: %w", err)
	}
	checkpoint, err := os.ReadFile(filepath.Join(first.dataDir(), checkpointFile))
	if err != nil {
		return fmt.Errorf("format broker 1: %w", err)
	}
	for _, n := range nodes[1:] {
		id := make([]byte, 16)
		_, _ = rand.Read(id) // never fails
		meta := fmt.Sprintf("version=1\ncluster.id=%s\nnode.id=%d\ndirectory.id=%s\n",
			clusterID, n.id, base64.RawURLEncoding.EncodeToString(id))
		err := errors.Join(
			os.MkdirAll(filepath.Join(n.dataDir(), metadataDir), 0o750),
			os.WriteFile(filepath.Join(n.dataDir(), metaFile), []byte(meta), 0o600),
			os.WriteFile(filepath.Join(n.dataDir(), checkpointFile), checkpoint, 0o600)) //nolint:gosec // the cluster's own directory
		if err != nil {
			return fmt.Errorf("format broker %d: %w", n.id, err)
		}
	}
	return nil
}
