-- Vectors of facts, as a server of embeddings made them. A text is known by its hash.
-- Times are UTC unix milliseconds.

CREATE TABLE vectors (
    repository   BIGINT NOT NULL,
    key          TEXT   NOT NULL,             -- SHA-256 of address, model and text, in hex
    installation BIGINT NOT NULL,
    data         BYTEA  NOT NULL,
    made_at      BIGINT NOT NULL,
    PRIMARY KEY (repository, key)
);
CREATE INDEX vectors_made ON vectors (repository, made_at);
