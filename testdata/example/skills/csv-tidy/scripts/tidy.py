"""Tidies a CSV file. Prints what it does; never changes its input."""

import argparse
import csv
import os
import pathlib

ENCODING = os.environ.get("CSV_TIDY_ENCODING", "utf-8")


def guess_delimiter(path):
    with open(path, encoding=ENCODING, newline="") as source:
        head = "".join(line for _, line in zip(range(20), source))
    return csv.Sniffer().sniff(head, delimiters=",;\t|").delimiter


def rows(path, delimiter, limit):
    with open(path, encoding=ENCODING, newline="") as source:
        for number, row in enumerate(csv.reader(source, delimiter=delimiter)):
            if number >= limit:
                return
            yield [field.strip() for field in row]


def inspect(args):
    width = None
    for number, row in enumerate(rows(args.file, guess_delimiter(args.file), args.max_rows), 1):
        width = width or len(row)
        if len(row) != width:
            print(f"row {number}: {len(row)} fields, expected {width}")
            return
    print(f"{width} fields in each row")


def fix(args):
    delimiter = args.delimiter or guess_delimiter(args.file)
    tidy = list(rows(args.file, delimiter, args.max_rows))
    if args.dry_run:
        print(f"would write {len(tidy)} rows")
        return
    target = pathlib.Path(args.file).with_suffix(".tidy.csv")
    with open(target, "w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(tidy)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--max-rows", type=int, default=100_000)
    commands = parser.add_subparsers(required=True)
    look = commands.add_parser("inspect", help="print the first row that differs")
    look.add_argument("file")
    look.set_defaults(run=inspect)
    mend = commands.add_parser("fix", help="write the tidy file")
    mend.add_argument("file")
    mend.add_argument("--delimiter")
    mend.add_argument("--dry-run", action="store_true")
    mend.set_defaults(run=fix)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
