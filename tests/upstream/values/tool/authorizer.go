package main

import (
	"context"
	"errors"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// A table that answers what `authorizer` is asked: the first row that says nothing else than the question.
type answerRow struct {
	User, Path, Group, Resource, Subresource, Namespace, Name, Verb *string

	Allowed       bool
	Reason, Error string
}

type answers []answerRow

func (rows answers) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	for _, row := range rows {
		matches := func(want *string, got string) bool { return want == nil || *want == got }
		if !matches(row.User, a.GetUser().GetName()) || !matches(row.Path, a.GetPath()) || !matches(row.Group, a.GetAPIGroup()) ||
			!matches(row.Resource, a.GetResource()) || !matches(row.Subresource, a.GetSubresource()) ||
			!matches(row.Namespace, a.GetNamespace()) || !matches(row.Name, a.GetName()) || !matches(row.Verb, a.GetVerb()) {
			continue
		}
		decision, err := authorizer.DecisionNoOpinion, error(nil)
		if row.Allowed {
			decision = authorizer.DecisionAllow
		}
		if row.Error != "" {
			err = errors.New(row.Error)
		}
		return decision, row.Reason, err
	}
	return authorizer.DecisionDeny, "no row", nil
}
