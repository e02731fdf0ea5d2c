// Package tree turns trees of files into [fs.FS] values: a git revision, the
// index, what git would commit of a working folder, a plain folder, or a list
// of entries with blobs at hand. Extraction and checks read all of them alike.
//
// A [Tree] is an immutable list of [Entry] values and a way to load blobs. It
// knows the git blob id of each path without reading it ([Tree.ID]), so equal
// files are told by their ids. Symbolic links and submodules are listed and
// never followed. A path that the tree does not hold is [fs.ErrNotExist]; a path
// that it holds but whose content cannot be read is [ErrUnreadable] and never
// [fs.ErrNotExist], since "could not look" must not pass for "is not there"
// (law 13).
//
// A [Local] opens a folder on disk. In a git repository it asks the git binary,
// so that line endings, attributes, clean filters and ignore rules are git's
// own; it changes neither the index nor the objects of the repository.
// [WriteFile] and [Remove] are the atomic writes for cards.
package tree

import "errors"

// Errors that a caller tells apart with [errors.Is].
var (
	// ErrSymlink: the path is a symbolic link, which is named and not followed.
	ErrSymlink = errors.New("symbolic link, not followed")
	// ErrSubmodule: the path is a submodule, which is named and not read.
	ErrSubmodule = errors.New("submodule, not read")
	// ErrUnreadable: the tree lists the path, but its content could not be had.
	ErrUnreadable = errors.New("listed, but the content could not be read")
	// ErrTooLarge: the blob is over [MaxBlob] bytes.
	ErrTooLarge = errors.New("file is over 100 MiB, the most that is read")
	// ErrConflict: an entry list that no git tree can have, such as one path twice.
	ErrConflict = errors.New("two entries of the tree claim one path")
	// ErrNotGit: a revision or the index was asked of a folder outside git.
	ErrNotGit = errors.New("not a git repository: --base needs a git repository; run it in one or leave --base out (--staged as well)")
	// ErrNoRevision: git does not know the revision that was asked for.
	ErrNoRevision = errors.New("git does not know the revision; check its spelling, or in a shallow clone fetch it first (git fetch --depth=1 origin REVISION)")
	// ErrShallow: the clone lacks commits that were asked for.
	ErrShallow = errors.New("the clone is shallow and lacks some of the commits; fetch them first (git fetch --unshallow)")
	// ErrNoWorkingTree: the repository is bare, or the folder lies inside .git.
	ErrNoWorkingTree = errors.New("the folder has no working tree (bare repository, or inside .git); give a checked-out folder as --root")
	// ErrBadName: a name that is no clean relative path below the root.
	ErrBadName   = errors.New("name is not a clean relative path below the root")
	errIsFolder  = errors.New("is a folder")
	errNotFolder = errors.New("is not a folder")
	// ErrClosed: a tree was read after its Local was closed.
	ErrClosed = errors.New("the folder was closed; read its trees before Close")
)

// MaxBlob is the largest blob that is read, in bytes: what GitHub serves and
// accepts at most, so that App and command line stop at the same size.
const MaxBlob = 100 << 20
