package answer

// rows are many short lists of numbers in one piece: a slice of slices would
// cost 24 bytes a list and a jump through memory.
type rows struct {
	start []uint32 // where each row begins; one more than there are rows
	items []uint32
}

// add appends a row.
func (r *rows) add(items ...uint32) {
	if len(r.start) == 0 {
		r.start = append(r.start, 0)
	}
	r.items = append(r.items, items...)
	r.start = append(r.start, uint32(len(r.items)))
}

// row returns row i; none past the last.
func (r rows) row(i int) []uint32 {
	if i < 0 || i+1 >= len(r.start) {
		return nil
	}
	return r.items[r.start[i]:r.start[i+1]]
}

// len is the number of rows.
func (r rows) len() int { return max(0, len(r.start)-1) }

// turned returns, for each number below n, the rows that hold it, ascending. All
// items must be below n.
func (r rows) turned(n int) rows {
	out := rows{start: make([]uint32, n+1), items: make([]uint32, len(r.items))}
	for _, item := range r.items {
		out.start[item+1]++
	}
	for i := range n {
		out.start[i+1] += out.start[i]
	}
	next := append([]uint32(nil), out.start[:n]...)
	for i := range r.len() {
		for _, item := range r.row(i) {
			out.items[next[item]] = uint32(i)
			next[item]++
		}
	}
	return out
}

// renumbered puts to[i] in the place of each item i.
func (r rows) renumbered(to []uint32) {
	for i, item := range r.items {
		r.items[i] = to[item]
	}
}

// gathered returns, for each number below most, which of n things have it, ascending.
// What has a number below 0 has none.
func gathered(n, most int, of func(i int) int) rows {
	out := rows{start: make([]uint32, most+1)}
	for i := range n {
		if g := of(i); g >= 0 {
			out.start[g+1]++
		}
	}
	for g := range most {
		out.start[g+1] += out.start[g]
	}
	out.items = make([]uint32, out.start[most])
	next := append([]uint32(nil), out.start[:most]...)
	for i := range n {
		if g := of(i); g >= 0 {
			out.items[next[g]] = uint32(i)
			next[g]++
		}
	}
	return out
}
