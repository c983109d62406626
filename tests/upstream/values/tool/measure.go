package main

import (
	"context"
	"syscall"
	"time"
)

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// The nanoseconds of CPU time that one evaluation takes, the collection of its garbage included: of a series that takes
// at least so long, after shorter ones.
func measure(p prepared, each time.Duration) float64 {
	ctx := context.Background()
	for count := 1; ; count *= 2 {
		start := cpuTime()
		for i := 0; i < count; i++ {
			p.program.ContextEval(ctx, p.activation)
		}
		if spent := cpuTime() - start; spent >= each {
			return float64(spent.Nanoseconds()) / float64(count)
		}
	}
}
