#!/bin/sh
# Lists dumps, or restores one into a scratch folder.
set -eu

dir=${BACKUP_DIR:-/var/backups}

newest() {
	ls -t "$dir/$1"-*.tar 2>/dev/null | head -n 1
}

restore() {
	dump=$(newest "$1")
	[ -n "$dump" ] || { echo "no dump of $1 in $dir" >&2; exit 1; }
	scratch=$(mktemp -d)
	tar -xf "$dump" -C "$scratch"
	wc -l "$scratch"/*.csv | diff "$dir/counts.txt" - && echo "rows match"
	[ "$2" = yes ] || rm -r "$scratch"
}

command=${1:-list}
database=${2:-}
keep=no
case ${3:-} in
--keep) keep=yes ;;
esac

case $command in
list) ls -lt "$dir" ;;
restore) restore "$database" "$keep" ;;
*) echo "usage: check.sh list | restore DATABASE [--keep]" >&2; exit 2 ;;
esac
