package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"
)

const tokenBytes = 16

// pair is a certificate and its key, both also as PEM.
type pair struct {
	cert            *x509.Certificate
	key             *ecdsa.PrivateKey
	certPEM, keyPEM []byte
}

// issue makes a key and a certificate for it, signed by ca, or by itself where
// ca is nil.
func issue(template *x509.Certificate, ca *pair) (*pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().AddDate(1, 0, 0)
	template.BasicConstraintsValid = true
	parent, signer := template, key
	if ca != nil {
		parent, signer = ca.cert, ca.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return &pair{
		cert:    cert,
		key:     key,
		certPEM: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		keyPEM:  pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER}),
	}, nil
}

// writeCredentials makes a new CA and all that hangs on it: the API server's
// certificate, the key for service account tokens, and the administrator's
// client certificate and token with the kubeconfig that holds them.
func (p *plane) writeCredentials() error {
	ca, err := issue(&x509.Certificate{
		Subject:  pkix.Name{CommonName: "controlplane-ca"},
		IsCA:     true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}, nil)
	if err != nil {
		return err
	}
	server, err := issue(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 0, 0, 1)},
	}, ca)
	if err != nil {
		return err
	}
	admin, err := issue(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, ca)
	if err != nil {
		return err
	}
	sa, err := issue(&x509.Certificate{Subject: pkix.Name{CommonName: "service-accounts"}}, ca)
	if err != nil {
		return err
	}
	token := make([]byte, tokenBytes)
	if _, err := rand.Read(token); err != nil {
		return err
	}
	p.ca, p.token = ca.certPEM, hex.EncodeToString(token)
	files := map[string][]byte{
		"ca.crt":     ca.certPEM,
		"server.crt": server.certPEM,
		"server.key": server.keyPEM,
		"sa.key":     sa.keyPEM,
		"tokens.csv": []byte(p.token + ",admin,admin,system:masters\n"),
		"kubeconfig": p.kubeconfig(admin),
	}
	for name, data := range files {
		if err := os.WriteFile(p.path(name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (p *plane) kubeconfig(admin *pair) []byte {
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Appendf(nil, `apiVersion: v1
kind: Config
current-context: admin
clusters:
- name: controlplane
  cluster:
    server: %s
    certificate-authority-data: %s
contexts:
- name: admin
  context: {cluster: controlplane, user: admin}
- name: token
  context: {cluster: controlplane, user: token}
users:
- name: admin
  user:
    client-certificate-data: %s
    client-key-data: %s
- name: token
  user:
    token: %s
`, p.url(), b64(p.ca), b64(admin.certPEM), b64(admin.keyPEM), p.token)
}
