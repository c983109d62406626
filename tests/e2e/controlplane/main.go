// Command controlplane runs a real Kubernetes control plane for tests: etcd and
// kube-apiserver (RBAC on, TLS, loopback), and kube-controller-manager on
// request, as child processes that live and die with it.
//
//	controlplane --dir DIR [--port N] [--kcm] [--audit-log FILE] [--apiserver-arg FLAG]...
//	controlplane kcm --dir DIR
//
// It fills DIR with certificates, data, logs (etcd.log, kube-apiserver.log, ...)
// and a kubeconfig whose contexts admin (client certificate; the current one)
// and token (bearer token) are both in system:masters. On standard output it
// says "ready" each time the API server has become ready.
//
//	SIGUSR1        kill the API server, start it again (etcd stays; then "ready")
//	SIGUSR2        kill the API server, leave it down (says "down"; SIGUSR1 ends it)
//	SIGTERM, INT   stop everything, exit 0
//
// A child that ends by itself ends the whole with status 1 and the tail of its
// log. `controlplane kcm` is the controller manager alone, in the foreground,
// against the control plane in DIR: for tests that start and stop it.
//
// The children are the programs etcd, kube-apiserver and kube-controller-manager
// in the directory KUBEBUILDER_ASSETS, or else beside this program, where they
// are links to it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	if run, ok := components[filepath.Base(os.Args[0])]; ok {
		run()
		return
	}
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "controlplane:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	only := ""
	if len(args) > 0 && args[0] == "kcm" {
		only, args = args[0], args[1:]
	}
	p, err := parse(only, args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if only == "kcm" {
		argv := p.kcm()
		return fmt.Errorf("%s: %w", argv[0], syscall.Exec(argv[0], argv, os.Environ()))
	}
	return supervise(p)
}

// repeated is a flag that may be given several times.
type repeated []string

func (r *repeated) String() string     { return strings.Join(*r, " ") }
func (r *repeated) Set(v string) error { *r = append(*r, v); return nil }

func parse(only string, args []string) (*plane, error) {
	p := &plane{bin: os.Getenv("KUBEBUILDER_ASSETS")}
	flags := flag.NewFlagSet(strings.TrimSpace("controlplane "+only), flag.ContinueOnError)
	flags.StringVar(&p.dir, "dir", "", "directory of everything it writes; made if missing")
	if only == "" {
		flags.IntVar(&p.port, "port", 0, "the API server's port (0: a free one)")
		flags.BoolVar(&p.withKCM, "kcm", false, "run kube-controller-manager too, with only the ValidatingAdmissionPolicy status controller")
		flags.StringVar(&p.auditLog, "audit-log", "", "audit log `file` of the API server: metadata of every request, bodies of admissionregistration.k8s.io")
		flags.Var((*repeated)(&p.extra), "apiserver-arg", "one more `flag` for kube-apiserver, which runs in the directory of --dir; may be repeated")
	}
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "usage: %s --dir DIR [FLAG]...\n", flags.Name())
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if p.dir == "" {
		return nil, errors.New("--dir is missing")
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if p.bin == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		p.bin = filepath.Dir(self)
	}
	for _, path := range []*string{&p.dir, &p.bin, &p.auditLog} {
		if *path == "" {
			continue
		}
		var err error
		if *path, err = filepath.Abs(*path); err != nil {
			return nil, err
		}
	}
	return p, nil
}
