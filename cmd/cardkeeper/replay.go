package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/cardkeeper/cardkeeper/app/config"
	"github.com/cardkeeper/cardkeeper/webhooks"
	"github.com/cardkeeper/cardkeeper/webhooks/event"
	"github.com/spf13/cobra"
)

const (
	// maxSaved leaves room for headers and an indented payload around GitHub's 25 MB.
	maxSaved = 4 * webhooks.MaxBody
	// replayTime is beyond the ten seconds that GitHub itself waits.
	replayTime = 30 * time.Second
)

// replayed is what the flags of replay say.
type replayed struct {
	settings, event, to string
	dry, renew          bool
}

func replayCommand() *cobra.Command {
	var r replayed
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Hand a saved delivery to the running App once more",
		Long: "FILE is JSON, - is standard input: {\"headers\": {\"X-GitHub-Event\": ..., \"X-GitHub-Delivery\": ...},\n" +
			"\"payload\": {...}}, as GitHub's page of recent deliveries shows both; or what GitHub's API answers\n" +
			"for /app/hook/deliveries/ID; or a payload alone, with --event. It is signed anew with the webhook\n" +
			"secret of the settings. The App takes a delivery id once, unless its work failed; --new gives it\n" +
			"another. Nothing of the payload's text is printed.\n" +
			"Exit code 0: taken, or nothing to do; 1: the App refused it; 3: the App was not reached.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return r.run(c.Context(), args[0], c.InOrStdin(), c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&r.settings, "settings", "cardkeeper.yml", "the settings file")
	f.StringVar(&r.event, "event", "", "the event of a payload that stands alone, such as pull_request")
	f.StringVar(&r.to, "to", "", "where the App's webhook is, if not at the address that the settings let it listen on")
	f.BoolVar(&r.dry, "dry-run", false, "only say what would be stored and done; nothing is sent")
	f.BoolVar(&r.renew, "new", false, "under a new delivery id, so that what was done is done again")
	return c
}

func (r replayed) run(ctx context.Context, file string, stdin io.Reader, stdout io.Writer) error {
	text, err := readSaved(file, stdin)
	if err != nil {
		return err
	}
	saved, err := webhooks.ReadSaved(text, r.event)
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if r.renew {
		saved = saved.Renewed()
	}
	s, err := config.LoadSettings(r.settings)
	if err != nil {
		return unusable{err}
	}
	d, work, err := saved.Plan(webhooks.App{ID: s.AppID})
	if errors.Is(err, event.ErrMalformed) {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if err != nil {
		return err // unreachable: it is malformed or it is not
	}
	if err := writePlan(stdout, d, work); err != nil || r.dry {
		return err
	}
	return r.send(ctx, saved, s, stdout)
}

// readSaved reads the file, or standard input, up to a bound.
func readSaved(file string, stdin io.Reader) ([]byte, error) {
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("%w: the file cannot be opened: %w", errUsage, err)
		}
		defer f.Close()
		stdin = f
	}
	text, err := io.ReadAll(io.LimitReader(stdin, maxSaved+1))
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	}
	if len(text) > maxSaved {
		return nil, fmt.Errorf("%w: the file is over 100 MiB; GitHub sends 25 MB at most", errUsage)
	}
	return text, nil
}

// writePlan prints ids and words of ours: what would be stored, and what is wanted.
func writePlan(w io.Writer, d webhooks.Delivery, work []webhooks.Work) error {
	name := d.Event
	if d.Action != "" {
		name += "." + d.Action
	}
	line := fmt.Sprintf("delivery %s: %s%s\n", d.GUID, name, facts(d.Installation, d.Repository, int64(d.Pull), d.Comment, d.CheckRun, d.Head, ""))
	if len(work) == 0 {
		line += "wants nothing\n"
	}
	for _, k := range work {
		line += fmt.Sprintf("wants %s%s\n", k.Kind, facts(0, 0, int64(k.Pull), k.Comment, k.CheckRun, k.Head, k.Base))
	}
	_, err := io.WriteString(w, line)
	return err
}

// facts lists the ids that are there.
func facts(installation, repository, pull, comment, run int64, head, base string) (out string) {
	for _, f := range []struct {
		name string
		id   int64
	}{{"installation", installation}, {"repository", repository}, {"pull request", pull}, {"comment", comment}, {"check run", run}} {
		if f.id != 0 {
			out += fmt.Sprintf(", %s %d", f.name, f.id)
		}
	}
	for _, f := range []struct{ name, sha string }{{"head", head}, {"base", base}} {
		if f.sha != "" {
			out += ", " + f.name + " " + f.sha
		}
	}
	return out
}

// send hands the delivery over and says what the answer means. A server's own words
// are not repeated: it may be another one than ours.
func (r replayed) send(ctx context.Context, saved webhooks.Saved, s config.Settings, stdout io.Writer) error {
	to, err := r.target(s.Listen)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, replayTime)
	defer cancel()
	req, err := saved.Request(ctx, to, s.Secrets[0])
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("the App was not reached at %s; is it running there? See --to: %w", to, unwrapURL(err))
	}
	defer resp.Body.Close()
	means, known := map[int]string{
		http.StatusAccepted: "stored, with its work", http.StatusOK: "stored before; --new does its work again", http.StatusNoContent: "nothing to do",
		http.StatusUnauthorized: "refused: the App has another webhook secret than these settings", http.StatusBadRequest: "refused: no delivery of an App",
		http.StatusRequestEntityTooLarge: "refused: too large", http.StatusServiceUnavailable: "not stored: the App's log says why",
	}[resp.StatusCode]
	if !known {
		means = "no answer of the App's; does --to lead to its webhook?"
	}
	if _, err := fmt.Fprintf(stdout, "%d: %s\n", resp.StatusCode, means); err != nil {
		return err
	}
	if resp.StatusCode/100 != 2 {
		return result(exitFound)
	}
	return nil
}

// target is the webhook's address: what --to says, or where the settings listen.
func (r replayed) target(listen string) (string, error) {
	if r.to != "" {
		if u, err := url.Parse(r.to); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return "", fmt.Errorf("%w: --to must be an address such as https://cardkeeper.example.com/webhook", errUsage)
		}
		return r.to, nil
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil || port == "0" {
		return "", fmt.Errorf("%w: the settings name no port to listen on; say where the App is with --to", errUsage)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return (&url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/webhook"}).String(), nil
}

// unwrapURL leaves out the address, which is said already.
func unwrapURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
