//go:build assets

package main

// components is empty in a build for KUBEBUILDER_ASSETS: the programs are there
// already, and what remains here, the supervisor, builds in seconds.
var components = map[string]func(){}
