-- Indexes of facts that were scanned and hold no finding, ready for questions. They can be made
-- again of the segments. Times are UTC unix milliseconds.

CREATE TABLE indexes (
    repository   BIGINT NOT NULL,
    key          TEXT   NOT NULL,             -- SHA-256 over all that it was made of, in hex
    rules        TEXT   NOT NULL,             -- hash of the rule set that its facts were scanned with
    installation BIGINT NOT NULL,
    data         BYTEA  NOT NULL,             -- the writer's own format
    size         BIGINT NOT NULL,             -- of data, in bytes
    made_at      BIGINT NOT NULL,
    PRIMARY KEY (repository, key)
);
CREATE INDEX indexes_made ON indexes (repository, made_at);
