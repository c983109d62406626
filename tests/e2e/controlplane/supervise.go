package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

const (
	startTimeout = 2 * time.Minute
	stopTimeout  = 5 * time.Second
	pollPeriod   = 50 * time.Millisecond
	tailLines    = 20
)

// child is a running component. done is closed when it has ended.
type child struct {
	name    string
	logFile string
	cmd     *exec.Cmd
	done    chan struct{}
}

// supervisor owns the children. Its fields belong to the goroutine of loop.
type supervisor struct {
	plane     *plane
	etcd      *child
	apiserver *child
	kcm       *child
	probe     context.CancelFunc // ends the readiness probe under way
	deadline  <-chan time.Time   // when the API server must be ready; nil once it is
	ready     chan *child        // the API server, when it has become ready
	ended     chan *child        // every child, when it has ended
}

// supervise runs the control plane until a signal ends it (nil) or a component
// ends by itself (an error).
func supervise(p *plane) error {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGUSR1, syscall.SIGUSR2)
	// A child is told to end when the thread that started it ends (Pdeathsig):
	// keep that one.
	runtime.LockOSThread()
	if err := p.prepare(); err != nil {
		return err
	}
	s := &supervisor{plane: p, probe: func() {}, ready: make(chan *child), ended: make(chan *child, 8)}
	defer s.stop()
	if err := s.startEtcd(); err != nil {
		return err
	}
	if err := s.startAPIServer(); err != nil {
		return err
	}
	return s.loop(signals)
}

func (s *supervisor) loop(signals <-chan os.Signal) error {
	for {
		var err error
		select {
		case sig := <-signals:
			switch sig {
			case syscall.SIGUSR1:
				s.killAPIServer()
				err = s.startAPIServer()
			case syscall.SIGUSR2:
				s.killAPIServer()
				fmt.Println("down")
			default:
				return nil
			}
		case c := <-s.ready:
			// The probe of one that was killed meanwhile comes too late.
			if c == s.apiserver {
				err = s.onReady()
			}
		case <-s.deadline:
			err = s.apiserver.failure(fmt.Sprintf("not ready within %v", startTimeout))
		case c := <-s.ended:
			// One that was killed on purpose is no longer ours.
			if c == s.etcd || c == s.apiserver || c == s.kcm {
				err = c.failure("ended: " + c.cmd.ProcessState.String())
			}
		}
		if err != nil {
			return err
		}
	}
}

func (s *supervisor) onReady() error {
	s.deadline = nil
	if s.plane.withKCM && s.kcm == nil {
		kcm, err := s.start(s.plane.kcm())
		if err != nil {
			return err
		}
		s.kcm = kcm
	}
	fmt.Println("ready")
	return nil
}

// start runs a component with its output appended to its log.
func (s *supervisor) start(argv []string) (*child, error) {
	c := &child{name: filepath.Base(argv[0]), done: make(chan struct{})}
	c.logFile = s.plane.path(c.name + ".log")
	log, err := os.OpenFile(c.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	c.cmd = exec.Command(argv[0], argv[1:]...)
	c.cmd.Dir = s.plane.dir
	c.cmd.Stdout, c.cmd.Stderr = log, log
	// Out of the terminal's process group, so that ^C comes to the supervisor
	// alone; and never left behind by it.
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = c.cmd.Wait() // the outcome is in ProcessState
		close(c.done)
		s.ended <- c
	}()
	return c, nil
}

// startEtcd returns when etcd accepts connections.
func (s *supervisor) startEtcd() (err error) {
	// A socket left by an earlier run would look like one that is not up yet.
	_ = os.Remove(s.plane.socket())
	if s.etcd, err = s.start(s.plane.etcd()); err != nil {
		return err
	}
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); {
		conn, err := net.Dial("unix", s.plane.socket())
		if err == nil {
			return conn.Close()
		}
		select {
		case <-s.etcd.done:
			return s.etcd.failure("ended: " + s.etcd.cmd.ProcessState.String())
		case <-time.After(pollPeriod):
		}
	}
	return s.etcd.failure(fmt.Sprintf("not up within %v", startTimeout))
}

// startAPIServer starts it, and the probe that sends it to s.ready once it is.
func (s *supervisor) startAPIServer() (err error) {
	if s.apiserver, err = s.start(s.plane.apiserver()); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.probe = cancel
	s.deadline = time.After(startTimeout)
	c := s.apiserver
	go func() {
		// The namespace default is made a moment after /readyz turns ok.
		for !s.plane.get(ctx, "/readyz") || !s.plane.get(ctx, "/api/v1/namespaces/default") {
			select {
			case <-time.After(pollPeriod):
			case <-ctx.Done():
				return
			}
		}
		select {
		case s.ready <- c:
		case <-ctx.Done():
		}
	}()
	return nil
}

// get says whether a GET as administrator is answered with 200. It keeps no
// connection, so that none outlives a restart.
func (p *plane) get(ctx context.Context, path string) bool {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(p.ca)
	client := &http.Client{
		Timeout:   10 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true},
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url()+path, nil)
	if err != nil {
		return false
	}
	req.Header.Set("Authorization", "Bearer "+p.token)
	resp, err := client.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// killAPIServer ends it as a crash does, without a farewell to its clients.
func (s *supervisor) killAPIServer() {
	s.probe()
	s.deadline = nil
	c := s.apiserver
	s.apiserver = nil
	c.end(syscall.SIGKILL)
}

// stop ends all children. Only etcd has something to finish.
func (s *supervisor) stop() {
	s.probe()
	s.kcm.end(syscall.SIGKILL)
	s.apiserver.end(syscall.SIGKILL)
	s.etcd.end(syscall.SIGTERM)
}

// end sends the signal and waits; what is left after stopTimeout is killed.
func (c *child) end(sig syscall.Signal) {
	if c == nil {
		return
	}
	_ = c.cmd.Process.Signal(sig)
	select {
	case <-c.done:
	case <-time.After(stopTimeout):
		_ = c.cmd.Process.Kill()
		<-c.done
	}
}

// failure is an error that shows the end of the child's log.
func (c *child) failure(what string) error {
	text, err := os.ReadFile(c.logFile)
	if err != nil {
		return fmt.Errorf("%s: %s (%w)", c.name, what, err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines) > tailLines {
		lines = lines[len(lines)-tailLines:]
	}
	return fmt.Errorf("%s: %s\n%s", c.name, what, bytes.Join(lines, nil))
}
