package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// answerCounts prints how many goroutines there are at each SIGUSR1.
func answerCounts() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	go func() {
		for range asked {
			fmt.Fprintln(os.Stderr, "goroutines:", runtime.NumGoroutine())
		}
	}()
}
