//go:build !kubernetes1.37

package main

import (
	"encoding/json"
	"errors"
)

func typedValue(string, json.RawMessage) (any, error) {
	return nil, errors.New("there are no typed values before 1.37")
}
