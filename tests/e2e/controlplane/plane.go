package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
)

// plane is one control plane: where its files are and how its components are
// called. Each command line starts with the program's path.
type plane struct {
	dir      string
	bin      string
	port     int
	withKCM  bool
	auditLog string
	extra    []string
	ca       []byte // PEM
	token    string // of the administrator
}

// A path of a Unix socket has at most 107 bytes.
const socketPathMax = 107

// etcd's socket, in the directory that the components run in. The etcd of Kubernetes 1.30 takes no URL of a socket but
// one that reads as a host and a port.
const etcdSocket = "etcd.sock:0"

func (p *plane) path(name string) string { return filepath.Join(p.dir, name) }
func (p *plane) socket() string          { return p.path(etcdSocket) }
func (p *plane) url() string             { return fmt.Sprintf("https://127.0.0.1:%d", p.port) }

// prepare makes the directory and writes into it all that the components read.
func (p *plane) prepare() error {
	if len(p.socket()) > socketPathMax {
		return fmt.Errorf("%s: longer than a socket's path may be (%d bytes); choose a shorter --dir", p.socket(), socketPathMax)
	}
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return err
	}
	if p.port == 0 {
		port, err := freePort()
		if err != nil {
			return err
		}
		p.port = port
	}
	if err := os.WriteFile(p.path("audit-policy.yaml"), []byte(auditPolicy), 0o600); err != nil {
		return err
	}
	return p.writeCredentials()
}

// freePort finds a port below the kernel's range for outgoing connections:
// while the API server is down, one of those could else take its port, even a
// client's own attempt to connect to it.
func freePort() (int, error) {
	var err error
	for range 100 {
		port := 20000 + rand.IntN(10000)
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return port, l.Close()
		}
	}
	return 0, fmt.Errorf("no free port: %w", err)
}

func (p *plane) etcd() []string {
	return []string{
		filepath.Join(p.bin, "etcd"),
		"--data-dir=" + p.path("etcd"),
		"--listen-client-urls=unix://" + etcdSocket,
		// Nobody reads these two, but etcd wants a host and a port.
		"--advertise-client-urls=http://127.0.0.1:0",
		"--listen-peer-urls=http://127.0.0.1:0",
		"--unsafe-no-fsync",
		"--log-level=warn",
	}
}

func (p *plane) apiserver() []string {
	argv := []string{
		filepath.Join(p.bin, "kube-apiserver"),
		"--etcd-servers=unix://" + etcdSocket,
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", p.port),
		// A loopback address is refused as an endpoint of the service
		// "kubernetes", which nobody here needs.
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none",
		"--service-cluster-ip-range=10.0.0.0/24",
		"--tls-cert-file=" + p.path("server.crt"),
		"--tls-private-key-file=" + p.path("server.key"),
		"--client-ca-file=" + p.path("ca.crt"),
		"--token-auth-file=" + p.path("tokens.csv"),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + p.path("sa.key"),
		"--service-account-signing-key-file=" + p.path("sa.key"),
		"--authorization-mode=RBAC",
		"--allow-privileged=true",
		// Pods need no service account here: nobody would create it.
		"--disable-admission-plugins=ServiceAccount",
	}
	if p.auditLog != "" {
		argv = append(argv, "--audit-log-path="+p.auditLog, "--audit-policy-file="+p.path("audit-policy.yaml"),
			// In megabytes; a test reads one file, so it is not to be rotated.
			"--audit-log-maxsize=10000")
	}
	return append(argv, p.extra...)
}

func (p *plane) kcm() []string {
	return []string{
		filepath.Join(p.bin, "kube-controller-manager"),
		"--kubeconfig=" + p.path("kubeconfig"),
		"--controllers=validatingadmissionpolicy-status-controller",
		"--leader-elect=false",
		"--secure-port=0",
	}
}

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: RequestResponse
  verbs: [create, update, patch, delete]
  resources: [{group: admissionregistration.k8s.io}]
- level: Metadata
`
