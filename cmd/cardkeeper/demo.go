package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/fakehub"
	"github.com/spf13/cobra"
)

func demoCommand() *cobra.Command {
	var serve bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole App against a GitHub in this process",
		Long: "Starts a small GitHub over real git objects and the App beside it, opens a pull request with one\n" +
			"stale card, one skill whose lines only moved and one leaked token, asks two questions in comments,\n" +
			"and prints what a person would see. Nothing leaves this machine.",
		RunE: func(c *cobra.Command, _ []string) error { return demo(c.Context(), c.OutOrStdout(), serve) },
	}
	c.Flags().BoolVar(&serve, "serve", false, "keep both running until interrupted")
	return c
}

// A story is one run of the demo.
type story struct {
	*world
	out io.Writer
}

func demo(ctx context.Context, out io.Writer, serve bool) error {
	w, err := newWorld(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	s := &story{w, out}
	for _, scene := range []func(context.Context) error{s.open, s.ask} {
		if err := scene(ctx); err != nil {
			return err
		}
	}
	s.say("What to try next", "On a repository of your own: cardkeeper init, then cardkeeper check after a change, and cardkeeper ask \"...\".\n"+
		"To run the App for an organisation: cardkeeper setup. To look around here: cardkeeper demo --serve.")
	if !serve {
		return nil
	}
	return s.keep(ctx)
}

func (s *story) say(title, text string) {
	fmt.Fprintf(s.out, "\n=== %s ===\n\n%s\n", title, strings.TrimSpace(text))
}

// open tells the pull request's two pushes: the red check and the green one.
func (s *story) open(ctx context.Context) error {
	edits, err := change()
	if err != nil {
		return err
	}
	head, err := s.repo.Commit("topic", edits, "Describe the new check command", s.main)
	if err != nil {
		return err
	}
	if s.pull, err = s.repo.OpenPull("topic", "main", "contributor", fakehub.PullOptions{Title: "Describe the new check command"}); err != nil {
		return err
	}
	s.say("A pull request is opened", "It changes three skills of example/skills: mail-rules gets a command and a longer wait, but its card is\n"+
		"not rebuilt; backup's lines only move; release gets a line with a token in it.")
	if err := s.look(ctx, head); err != nil {
		return err
	}
	if edits, err = s.mend(edits); err != nil {
		return err
	}
	if head, err = s.repo.Commit("topic", edits, "Rebuild the cards, take the token out"); err != nil {
		return err
	}
	s.say("The contributor rotates the token, takes it out, runs cardkeeper build and pushes", "")
	return s.look(ctx, head)
}

// look delivers what happened and prints the check run that comes of it.
func (s *story) look(ctx context.Context, head string) error {
	if err := s.deliver(ctx); err != nil {
		return err
	}
	var run fakehub.CheckRun
	err := await(ctx, "the check run", func() bool {
		for _, r := range s.hub.CheckRuns(s.repo, head) {
			if r.Status == "completed" {
				run = r
				return true
			}
		}
		return false
	})
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n%s", run.Conclusion, run.Title, run.Summary, run.Text)
	for _, a := range run.Annotations {
		fmt.Fprintf(&b, "\n%s:%d: %s: %s", a.Path, a.StartLine, a.Title, a.Message)
	}
	s.say("The check run \"cardkeeper\" on "+head[:7], b.String())
	return nil
}

// ask tells two comments: a question that is answered and one that is refused.
func (s *story) ask(ctx context.Context) error {
	for n, question := range []string{
		"/ask What does mailrules apply refuse?",
		"/ask How many people may share one mailbox?",
	} {
		if _, err := s.repo.Comment(s.pull, "contributor", question); err != nil {
			return err
		}
		if err := s.deliver(ctx); err != nil {
			return err
		}
		var reply string
		err := await(ctx, "the reply", func() bool {
			replies := s.replies()
			if len(replies) > n {
				reply = replies[n]
			}
			return len(replies) > n
		})
		if err != nil {
			return err
		}
		s.say("A comment: "+question, reply)
	}
	return nil
}

// replies are the App's comments, without their hidden first line.
func (s *story) replies() []string {
	var out []string
	for _, c := range s.hub.Comments(s.repo, s.pull) {
		if strings.HasSuffix(c.User, "[bot]") {
			_, body, _ := strings.Cut(c.Body, "\n")
			out = append(out, body)
		}
	}
	return out
}

// keep delivers what others do to the hub until ctx ends.
func (s *story) keep(ctx context.Context) error {
	s.say("Still running", fmt.Sprintf("GitHub's API: %s\nThe App: http://%s/healthz\nThe repository: %s\nCtrl-C ends both.",
		s.hub.URL(), s.listen.Addr(), s.repo.GitDir()))
	return s.hub.Run(ctx)
}
