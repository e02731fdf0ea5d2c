package embed

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
)

// A reply is what we read of an answer.
type reply struct {
	Data []struct {
		Index     *int
		Embedding json.RawMessage
	}
	Usage json.RawMessage
}

// read makes vectors of an answer to so many texts, in the order of the texts. An
// answer is taken whole or not at all.
func read(body []byte, texts int) ([]Vector, int, error) {
	var r reply
	if json.Unmarshal(body, &r) != nil { // its error quotes the body
		return nil, 0, unusable("it is no list of vectors in JSON; look at url")
	}
	if len(r.Data) != texts {
		return nil, 0, unusable("it holds more or fewer vectors than texts were sent")
	}
	out, bare, length := make([]Vector, texts), r.Data[0].Index == nil, 0
	for i, d := range r.Data {
		at := i
		if !bare && d.Index != nil {
			at = *d.Index
		}
		if bare != (d.Index == nil) || at < 0 || at >= texts || out[at] != nil {
			return nil, 0, unusable("its vectors are not numbered as the texts are")
		}
		numbers, err := numbers(d.Embedding)
		if err == nil {
			out[at], err = newVector(numbers)
		}
		switch {
		case err != nil:
			return nil, 0, unusable(errVector.Error())
		case i > 0 && len(numbers) != length:
			return nil, 0, unusable("its vectors differ in length")
		}
		length = len(numbers)
	}
	return out, tokens(r.Usage), nil
}

// numbers reads a vector: a list of numbers, or base64 of 32-bit floats, the low byte
// first. Null would silently become 0.
func numbers(raw json.RawMessage) ([]float64, error) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		var list []float64
		if bytes.Contains(raw, []byte("null")) || json.Unmarshal(raw, &list) != nil {
			return nil, errVector
		}
		return list, nil
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data)%4 != 0 {
		return nil, errVector
	}
	out := make([]float64, len(data)/4)
	for i := range out {
		out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
	}
	return out, nil
}

// tokens is what the server counted, 0 where it does not say.
func tokens(raw json.RawMessage) int {
	var usage struct {
		Prompt int `json:"prompt_tokens"`
		Total  int `json:"total_tokens"`
	}
	if json.Unmarshal(raw, &usage) != nil {
		return 0
	}
	return max(0, usage.Prompt, usage.Total)
}
