package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
)

// verified reads the body and checks who sent it. The form of the signature is looked at before the body is read, so that
// a stranger's upload costs nothing; its value can only be checked over the whole of the raw body, never over parsed JSON
// written out again.
func (h *handler) verified(w http.ResponseWriter, r *http.Request) ([]byte, *reply) {
	fail := func(status int, o Outcome, text string) ([]byte, *reply) {
		out := refuse(status, o, text)
		return nil, &out
	}
	if r.Method != http.MethodPost {
		return fail(http.StatusMethodNotAllowed, NoPost, "POST only")
	}
	if r.ContentLength > MaxBody {
		return fail(http.StatusRequestEntityTooLarge, TooLarge, "the body is over 25 MiB")
	}
	sum, ok := signature(r.Header)
	if !ok {
		return fail(http.StatusUnauthorized, Unsigned, "X-Hub-Signature-256 is missing or not of the form sha256=<64 hex digits>: set a webhook secret")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return fail(http.StatusRequestEntityTooLarge, TooLarge, "the body is over 25 MiB")
	case err != nil:
		return fail(http.StatusBadRequest, BrokenOff, "the body broke off")
	case !signed(h.secrets, body, sum):
		return fail(http.StatusUnauthorized, Missigned, "the signature is not ours: compare the webhook secret with the App's settings page")
	}
	return body, nil
}

// signature reads X-Hub-Signature-256, "sha256=" and 64 hex digits, once. The older X-Hub-Signature with its SHA-1 is never
// looked at; GitHub and every Enterprise Server since 3.0 send the newer one wherever a secret is set.
func signature(h http.Header) ([]byte, bool) {
	values := h.Values("X-Hub-Signature-256")
	if len(values) != 1 {
		return nil, false
	}
	digits, ok := strings.CutPrefix(values[0], "sha256=")
	if !ok || len(digits) != hex.EncodedLen(sha256.Size) {
		return nil, false
	}
	sum, err := hex.DecodeString(digits)
	return sum, err == nil
}

// Sign is the X-Hub-Signature-256 header of a body, as GitHub makes it.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// signed reports whether one of the secrets signed the raw body. All of them are tried, each in constant time, so that the
// time tells neither how much of a guess was right nor which secret it was.
func signed(secrets [][]byte, body, sum []byte) bool {
	found := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write(body)
		if hmac.Equal(mac.Sum(nil), sum) {
			found = true
		}
	}
	return found
}

// isGUID reports the form of GitHub's delivery ids: 32 hex digits in five groups. A longer word could be anything.
func isGUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(strings.ToLower(s)) {
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if strings.IndexByte("0123456789abcdef", c) < 0 {
				return false
			}
		}
	}
	return true
}

// plain is a name of an event that nobody knows, as it may be logged: most tokens have a digit, and no event of today has.
func plain(name string) string {
	if strings.ContainsAny(name, "0123456789") {
		return "unknown"
	}
	return name
}

// word reports whether s is of lower-case letters, digits and the extra signs, and of 1 to limit bytes. What is stored,
// logged or compared out of a header or a payload is such a word.
func word(s string, limit int, extra string) bool {
	return s != "" && len(s) <= limit && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789"+extra) == ""
}
