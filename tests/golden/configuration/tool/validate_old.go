//go:build !kubernetes1.32

package main

import (
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/apis/apiserver/validation"
	"k8s.io/kubernetes/pkg/kubeapiserver/authorizer/modes"
)

func validateAuthentication(file *apiserver.AuthenticationConfiguration) field.ErrorList {
	return validation.ValidateAuthenticationConfiguration(file, nil)
}

func validateAuthorization(file *apiserver.AuthorizationConfiguration) field.ErrorList {
	return validation.ValidateAuthorizationConfiguration(nil, file,
		sets.NewString(modes.AuthorizationModeChoices...), sets.NewString(modes.ModeWebhook))
}
