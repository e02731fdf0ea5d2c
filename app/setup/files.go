package setup

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cardkeeper/cardkeeper/app/config"
)

// Sentinels.
var (
	// ErrExists: a file that would be written is there.
	ErrExists = errors.New("a file is there already")
	// ErrExpired: nobody registered the App within an hour.
	ErrExpired = errors.New("the registration was not finished within an hour; start again")
)

// Files are what a registration writes, with mode 0600 and side by side.
type Files struct {
	Settings, Key, Secret string // absolute paths
}

// FilesFor names the files around a settings file.
func FilesFor(settings string) (Files, error) {
	at, err := filepath.Abs(settings)
	if err != nil {
		return Files{}, fmt.Errorf("setup: the current folder cannot be read: %w", err)
	}
	stem := strings.TrimSuffix(at, filepath.Ext(at))
	return Files{Settings: at, Key: stem + ".pem", Secret: stem + ".webhook-secret"}, nil
}

// all lists the files in the order in which they come into being.
func (f Files) all() []string { return []string{f.Key, f.Secret, f.Settings} }

// free fails where one of the files is there, or their folder is not. The key of
// another App could not be had again; what is no plain file is never replaced.
func (f Files) free(overwrite bool) error {
	if info, err := os.Stat(filepath.Dir(f.Settings)); err != nil || !info.IsDir() {
		return fmt.Errorf("setup: the folder of %s does not exist; make it first", f.Settings)
	}
	for _, name := range f.all() {
		info, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return fmt.Errorf("setup: %s cannot be looked at: %w", name, err)
		case !overwrite || !info.Mode().IsRegular():
			return fmt.Errorf("setup: %w: %s; name another with --settings, or say --overwrite", ErrExists, name)
		}
	}
	return nil
}

// A reservation holds the place of the files, so that a full disk or a folder
// without the right to write shows before GitHub hands out the key, which it does
// once.
type reservation struct {
	files     Files
	overwrite bool
	temporary map[string]string // by file
}

// reserve makes temporary files beside those that will be written.
func (f Files) reserve(overwrite bool) (_ *reservation, err error) {
	if err := f.free(overwrite); err != nil {
		return nil, err
	}
	r := &reservation{f, overwrite, map[string]string{}}
	for _, name := range f.all() {
		// The largest is the key, under 4 KB; a disk too full for that is found here.
		temp := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+rand.Text())
		if err := write(temp, bytes.Repeat([]byte{'\n'}, 4096), os.O_EXCL); err != nil {
			r.release()
			return nil, fmt.Errorf("setup: the folder of %s cannot be written to: %w", f.Settings, err)
		}
		r.temporary[name] = temp
	}
	return r, nil
}

// release removes what was not put into its place.
func (r *reservation) release() {
	for _, temp := range r.temporary {
		_ = os.Remove(temp) // one that is left is empty
	}
}

// fill writes the contents and moves them into place, the settings last: once
// they are there, all is there.
func (r *reservation) fill(key, secret string, settings config.SettingsFile) error {
	text := map[string][]byte{r.files.Key: []byte(key), r.files.Secret: []byte(secret + "\n"), r.files.Settings: settings.Encode()}
	for _, name := range r.files.all() {
		if err := write(r.temporary[name], text[name], os.O_TRUNC); err != nil {
			return fmt.Errorf("setup: %s cannot be written: %w", name, err)
		}
	}
	for _, name := range r.files.all() {
		if err := r.place(name); err != nil {
			return err
		}
		delete(r.temporary, name)
	}
	return nil
}

// place gives a temporary file its name. A rename replaces what is there, so
// where nothing may be replaced the name is taken first.
func (r *reservation) place(name string) error {
	if !r.overwrite {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("setup: %w: %s came into being meanwhile", ErrExists, name)
		}
		if err != nil {
			return fmt.Errorf("setup: %s cannot be made: %w", name, err)
		}
		_ = file.Close() // nothing was written
	}
	if err := os.Rename(r.temporary[name], name); err != nil {
		return fmt.Errorf("setup: %s cannot be put into place: %w", name, err)
	}
	return nil
}

// write makes or empties a file of mode 0600 and brings its content to the disk.
func write(name string, data []byte, flag int) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|flag, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}
