package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"time"
)

// Headers is what an http.Header is.
type Headers interface{ Get(name string) string }

// verify takes the body as the bytes that arrived, before anything parsed them.
func verify(secret string, headers Headers, body []byte) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	// With a secret that was never set, anyone could sign.
	if err != nil || len(key) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, given := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(given), expected) {
			return true
		}
	}
	return false
}

type lowerCase map[string]string

func (headers lowerCase) Get(name string) string { return headers[name] }

// To try it: {"secret": "whsec_…", "headers": {…}, "body": "…"} on standard input; exits with 0 if the signature is right, else 1.
func main() {
	var given struct {
		Secret  string
		Headers lowerCase
		Body    string
	}
	if json.NewDecoder(os.Stdin).Decode(&given) != nil {
		os.Exit(1)
	}
	if !verify(given.Secret, given.Headers, []byte(given.Body)) {
		os.Exit(1)
	}
}
