package fakehub

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"
)

// TestRealClients runs the libraries that the App is built on against the hub,
// as github.com and as an Enterprise server: token, tree, blob, check run,
// comment, reaction, commit by the button, rate limit.
func TestRealClients(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", "/api/v3"} {
		t.Run("prefix "+prefix, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, Options{Prefix: prefix}, false)
			gh := w.goGitHub()
			w.clientReads(gh)
			w.clientWrites(gh)
			w.hub.SetBudget(0)
			_, _, err := gh.Repositories.Get(t.Context(), "ada", "skills")
			var limited *github.RateLimitError
			if !errors.As(err, &limited) || limited.Rate.Reset.Time.Before(time.Now()) {
				t.Errorf("used-up budget: %v", err)
			}
		})
	}
}

func (w *world) goGitHub() *github.Client {
	w.t.Helper()
	pem, err := w.hub.PrivateKey()
	if err != nil {
		w.t.Fatal(err)
	}
	tr, err := ghinstallation.New(http.DefaultTransport, w.hub.AppID(), w.hub.Installation("ada"), pem)
	if err != nil {
		w.t.Fatal(err)
	}
	tr.BaseURL = w.hub.URL()
	tr.InstallationTokenOptions = &github.InstallationTokenOptions{RepositoryIDs: []int64{w.repo.ID()}}
	gh := github.NewClient(&http.Client{Transport: tr, Timeout: 20 * time.Second})
	base, err := gh.BaseURL.Parse(w.hub.URL() + "/")
	if err != nil {
		w.t.Fatal(err)
	}
	gh.BaseURL = base
	return gh
}

func (w *world) clientReads(gh *github.Client) {
	ctx := w.t.Context()
	tree, _, err := gh.Git.GetTree(ctx, "ada", "skills", w.base, true)
	if err != nil || tree.GetTruncated() || len(tree.Entries) != 6 {
		w.t.Fatalf("tree: %v %v", tree, err)
	}
	blob, _, err := gh.Git.GetBlobRaw(ctx, "ada", "skills", tree.Entries[0].GetSHA())
	if err != nil || string(blob) != "hello\n" {
		w.t.Errorf("blob: %q %v", blob, err)
	}
	level, _, err := gh.Repositories.GetPermissionLevel(ctx, "ada", "skills", "ada")
	if err != nil || level.GetPermission() != "admin" {
		w.t.Errorf("permission: %v", err)
	}
	if ref, _, err := gh.Git.GetRef(ctx, "ada", "skills", "heads/main"); err != nil || ref.GetObject().GetSHA() != w.base {
		w.t.Errorf("ref: %v", err)
	}
}

func (w *world) clientWrites(gh *github.Client) {
	ctx := w.t.Context()
	head := w.commit("feature/x", map[string]File{"a": Text("1")}, w.base)
	n := w.pull("feature/x", PullOptions{})
	pr, _, err := gh.PullRequests.Get(ctx, "ada", "skills", n)
	if err != nil || pr.GetHead().GetSHA() != head {
		w.t.Fatalf("pull request: %v", err)
	}
	cmp, _, err := gh.Repositories.CompareCommits(ctx, "ada", "skills", "main", "feature/x", nil)
	if err != nil || cmp.GetMergeBaseCommit().GetSHA() != w.base {
		w.t.Errorf("compare: %v", err)
	}
	run, _, err := gh.Checks.CreateCheckRun(ctx, "ada", "skills", github.CreateCheckRunOptions{Name: "cardkeeper", HeadSHA: head})
	if err != nil {
		w.t.Fatal(err)
	}
	_, _, err = gh.Checks.UpdateCheckRun(ctx, "ada", "skills", run.GetID(), github.UpdateCheckRunOptions{
		Name: "cardkeeper", Conclusion: github.String("success"), Status: github.String("completed"),
		Output: &github.CheckRunOutput{Title: github.String("t"), Summary: github.String("s")},
	})
	if err != nil {
		w.t.Error(err)
	}
	runs, _, err := gh.Checks.ListCheckRunsForRef(ctx, "ada", "skills", "feature/x", &github.ListCheckRunsOptions{CheckName: github.String("cardkeeper")})
	if err != nil || runs.GetTotal() != 1 || runs.CheckRuns[0].GetConclusion() != "success" {
		w.t.Errorf("runs: %v", err)
	}
	comment, _, err := gh.Issues.CreateComment(ctx, "ada", "skills", n, &github.IssueComment{Body: github.String("hi")})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, _, err := gh.Reactions.CreateIssueCommentReaction(ctx, "ada", "skills", comment.GetID(), "eyes"); err != nil {
		w.t.Error(err)
	}
	w.clientCommits(gh, head)
}

// clientCommits pushes one commit as the button does.
func (w *world) clientCommits(gh *github.Client, head string) {
	ctx := w.t.Context()
	tree, _, err := gh.Git.CreateTree(ctx, "ada", "skills", head, []*github.TreeEntry{
		{Path: github.String("cards/a.md"), Mode: github.String("100644"), Type: github.String("blob"), Content: github.String("card\n")},
		{Path: github.String("README.md"), Mode: github.String("100644"), Type: github.String("blob")}, // null: removed
	})
	if err != nil {
		w.t.Fatal(err)
	}
	made, _, err := gh.Git.CreateCommit(ctx, "ada", "skills", &github.Commit{
		Message: github.String("cards"), Tree: tree, Parents: []*github.Commit{{SHA: github.String(head)}},
	}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	_, _, err = gh.Git.UpdateRef(ctx, "ada", "skills", &github.Reference{
		Ref: github.String("refs/heads/feature/x"), Object: &github.GitObject{SHA: made.SHA},
	}, false)
	if err != nil {
		w.t.Fatal(err)
	}
	if got := w.gitSays("ls-tree", "-r", "--name-only", made.GetSHA()); got != "a\ncards/a.md\nskills/a/SKILL.md\nskills/b/SKILL.md\n" {
		w.t.Errorf("files: %q", got)
	}
	pr, _, err := gh.PullRequests.Get(ctx, "ada", "skills", 1)
	if err != nil || pr.GetHead().GetSHA() != made.GetSHA() {
		w.t.Errorf("the pull request did not follow the push: %v", err)
	}
}
