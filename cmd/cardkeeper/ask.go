package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cardkeeper/cardkeeper/app/ask"
	"github.com/cardkeeper/cardkeeper/checker/answer"
	"github.com/spf13/cobra"
)

// asking are the flags of ask.
type asking struct {
	where
	format, batch string
	explain       bool
}

func askCommand() *cobra.Command {
	var a asking
	c := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Answer a question with cited lines, or say that it is not documented",
		Args: func(c *cobra.Command, args []string) error {
			if a.batch != "" {
				return cobra.NoArgs(c, args)
			}
			return cobra.ExactArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if a.format != "text" && a.format != "json" {
				return fmt.Errorf("%w: --format knows text and json", errUsage)
			}
			ws, err := a.open(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer ws.close()
			library, err := ask.Open(ws.files, ws.config.Shape, ws.scanner)
			if err != nil {
				return err
			}
			if a.batch != "" {
				return askBatch(c.Context(), library, a.batch, c.OutOrStdout())
			}
			return a.one(c.Context(), library, args[0], c.OutOrStdout())
		},
	}
	a.flags(c, true)
	c.Flags().StringVar(&a.format, "format", "text", "text or json")
	c.Flags().StringVar(&a.batch, "batch", "", "answer a file of JSON lines {\"id\",\"question\"} instead; - is standard input")
	c.Flags().BoolVar(&a.explain, "explain", false, "show how the question was read and each hit was scored")
	return c
}

func (a asking) one(ctx context.Context, library *ask.Library, question string, out io.Writer) error {
	got, err := library.Ask(ctx, question)
	if errors.Is(err, ask.ErrSecret) {
		fmt.Fprintln(out, err)
		return result(exitFound)
	}
	if err != nil {
		return err
	}
	if a.format == "json" {
		if err := encode(out, got); err != nil {
			return err
		}
	} else {
		fmt.Fprint(out, answer.Text(got, nil))
	}
	if a.explain {
		fmt.Fprint(out, answer.Explain(got))
	}
	if !got.Answered {
		return result(exitFound)
	}
	return nil
}

func encode(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// A batchAnswer is one line of ask --batch.
type batchAnswer struct {
	ID string `json:"id"`
	answer.Form
}

// maxLine bounds a line of a batch, in bytes: a question of 1,000 characters takes 4,000 at most.
const maxLine = 1 << 20

func askBatch(ctx context.Context, library *ask.Library, file string, out io.Writer) error {
	in := io.Reader(os.Stdin)
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return fmt.Errorf("%w: --batch: the file cannot be opened: %w", errUsage, err)
		}
		defer f.Close()
		in = f
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		if err := batchLine(ctx, library, file, n, lines.Bytes(), out); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("--batch: %s: %w", file, err)
	}
	return nil
}

func batchLine(ctx context.Context, library *ask.Library, file string, n int, line []byte, out io.Writer) error {
	var q struct{ ID, Question string }
	if err := json.Unmarshal(line, &q); err != nil {
		return fmt.Errorf("%w: %s:%d: not a JSON object with \"id\" and \"question\"", errUsage, file, n)
	}
	got, err := library.Ask(ctx, q.Question)
	if errors.Is(err, ask.ErrSecret) {
		got = answer.Answer{Refusal: &answer.Refusal{Why: err.Error()}}
	} else if err != nil {
		return fmt.Errorf("%s:%d: %w", file, n, err)
	}
	return encode(out, batchAnswer{q.ID, got.Form()})
}
