// Package lane runs the processor for one partition and one assignment epoch.
package lane
