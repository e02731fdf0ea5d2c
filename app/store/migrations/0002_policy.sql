-- Under which policy a verdict was made, so that a change of it is told: the blob
-- id of the base branch's configuration (zeros for none), and the SHA-256 of that
-- branch's name. '' is not known.
ALTER TABLE verdicts ADD COLUMN policy TEXT NOT NULL DEFAULT '';
ALTER TABLE verdicts ADD COLUMN base_ref TEXT NOT NULL DEFAULT '';
