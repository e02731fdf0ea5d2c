package github

import (
	chain "container/list"
	"sync"
)

// lru keeps what was used last, up to a total weight. It is safe for concurrent
// use. Values are shared: nobody changes one that was put in or taken out.
type lru[K comparable, V any] struct {
	max    int
	weigh  func(V) int // nil weighs 1 each
	mu     sync.Mutex
	weight int
	order  *chain.List // of *keptItem, the last used first
	items  map[K]*chain.Element
}

type keptItem[K comparable, V any] struct {
	key    K
	value  V
	weight int
}

func newLRU[K comparable, V any](max int, weigh func(V) int) *lru[K, V] {
	if weigh == nil {
		weigh = func(V) int { return 1 }
	}
	return &lru[K, V]{max: max, weigh: weigh, order: chain.New(), items: map[K]*chain.Element{}}
}

func (c *lru[K, V]) get(key K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.items[key]
	if e == nil {
		return v, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*keptItem[K, V]).value, true
}

// put keeps a value in place of an earlier one. What alone is over the bound is
// not kept at all.
func (c *lru[K, V]) put(key K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.items[key]; e != nil {
		c.remove(e)
	}
	w := c.weigh(v)
	if w > c.max {
		return
	}
	c.items[key] = c.order.PushFront(&keptItem[K, V]{key, v, w})
	for c.weight += w; c.weight > c.max; {
		c.remove(c.order.Back())
	}
}

// obtain gives what is kept, or makes and keeps it. Make runs under the lock: it
// must be quick, and two callers never make one thing twice.
func (c *lru[K, V]) obtain(key K, make func() V) V {
	if v, ok := c.get(key); ok {
		return v
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.items[key]; e != nil {
		return e.Value.(*keptItem[K, V]).value
	}
	v := make()
	w := c.weigh(v)
	c.items[key] = c.order.PushFront(&keptItem[K, V]{key, v, w})
	for c.weight += w; c.weight > c.max && c.order.Len() > 1; {
		c.remove(c.order.Back())
	}
	return v
}

// drop removes all whose key fits.
func (c *lru[K, V]) drop(fits func(K) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, e := range c.items {
		if fits(key) {
			c.remove(e)
		}
	}
}

func (c *lru[K, V]) remove(e *chain.Element) {
	item := e.Value.(*keptItem[K, V])
	c.order.Remove(e)
	delete(c.items, item.key)
	c.weight -= item.weight
}
