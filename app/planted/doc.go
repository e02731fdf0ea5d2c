// Package planted makes values that look like working secrets, one for each
// kind that the scanner knows, and says whether a piece of one stands in a text.
// It is for tests alone: they plant the values wherever a text can come from and
// look for pieces wherever a text can go to.
//
// Every value is made when it is asked for, from a seed; none stands in the source.
package planted
