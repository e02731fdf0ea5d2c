package main

import (
	"os"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en" // the analyzer
	"github.com/blevesearch/bleve/v2/mapping"
	match "github.com/blevesearch/bleve/v2/search/query"
)

// bleves is a bleve index in a folder, without the texts themselves.
type bleves struct {
	index  bleve.Index
	folder string
	typos  bool // words one edit away, of the same first letter, match too
}

func fields() mapping.IndexMapping {
	text := bleve.NewTextFieldMapping()
	text.Analyzer, text.Store, text.IncludeTermVectors, text.IncludeInAll, text.DocValues = "en", false, false, false, false
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("text", text)
	doc.AddFieldMappingsAt("around", text)
	m := bleve.NewIndexMapping()
	m.DefaultMapping = doc
	return m
}

func (b *bleves) build(docs []doc) (err error) {
	if b.folder, err = os.MkdirTemp("", "versus"); err != nil {
		return err
	}
	if b.index, err = bleve.New(b.folder+"/bleve", fields()); err != nil {
		return err
	}
	batch := b.index.NewBatch()
	for i, d := range docs {
		err := batch.Index(strconv.Itoa(i), map[string]any{"text": d.text, "around": d.around()})
		if err != nil {
			return err
		}
		if batch.Size() == 5000 || i == len(docs)-1 {
			if err := b.index.Batch(batch); err != nil {
				return err
			}
			batch = b.index.NewBatch()
		}
	}
	return nil
}

func (b *bleves) ask(question string) (found []int, err error) {
	text, around := bleve.NewMatchQuery(question), bleve.NewMatchQuery(question)
	text.SetField("text")
	around.SetField("around")
	around.SetBoost(0.4)
	if b.typos {
		for _, q := range []*match.MatchQuery{text, around} {
			q.SetFuzziness(1)
			q.SetPrefix(1)
		}
	}
	r := bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(text, around), mostHits, 0, false)
	got, err := b.index.Search(r)
	if err != nil {
		return nil, err
	}
	for _, h := range got.Hits {
		i, err := strconv.Atoi(h.ID)
		if err != nil {
			return nil, err
		}
		found = append(found, i)
	}
	return found, nil
}

func (b *bleves) close() error {
	err := b.index.Close()
	os.RemoveAll(b.folder)
	return err
}
