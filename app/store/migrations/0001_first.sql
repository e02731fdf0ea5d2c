-- One file for both databases. SQLite takes any type name: BIGINT is an integer
-- there, BYTEA keeps bytes as they are. Times are UTC unix milliseconds, 0 is none.
-- Every table names the installation and the repository, so that both can be
-- forgotten; a test counts the rows of all tables.

CREATE TABLE deliveries (
    guid         TEXT   NOT NULL PRIMARY KEY, -- GitHub's delivery id, the same on redelivery
    event        TEXT   NOT NULL,
    action       TEXT   NOT NULL,             -- '' where the event has none
    installation BIGINT NOT NULL,             -- 0 where the event has none, as for the ids below
    repository   BIGINT NOT NULL,
    pull         BIGINT NOT NULL,             -- the number within the repository
    comment      BIGINT NOT NULL,
    check_run    BIGINT NOT NULL,
    head_sha     TEXT   NOT NULL,
    state        TEXT   NOT NULL CHECK (state IN ('accepted', 'done', 'failed')),
    attempts     BIGINT NOT NULL,             -- how often it was accepted as fresh
    received_at  BIGINT NOT NULL
);
CREATE INDEX deliveries_received ON deliveries (received_at);

CREATE TABLE pulls (
    repository   BIGINT  NOT NULL,
    number       BIGINT  NOT NULL,
    installation BIGINT  NOT NULL,
    generation   BIGINT  NOT NULL,            -- raised by every event that makes older work moot
    head_sha     TEXT    NOT NULL,
    base_sha     TEXT    NOT NULL,
    job          BIGINT  NOT NULL,            -- the queue's id of the current evaluate job, 0 is none
    closed       BOOLEAN NOT NULL,
    updated_at   BIGINT  NOT NULL,
    PRIMARY KEY (repository, number)
);
CREATE INDEX pulls_head ON pulls (repository, head_sha);

CREATE TABLE verdicts (
    repository   BIGINT NOT NULL,
    number       BIGINT NOT NULL,
    installation BIGINT NOT NULL,
    generation   BIGINT NOT NULL,             -- of the pull request, when the work began
    head_sha     TEXT   NOT NULL,
    conclusion   TEXT   NOT NULL,
    report       BYTEA  NOT NULL,             -- JSON of the scanned outgoing texts
    made_at      BIGINT NOT NULL,
    PRIMARY KEY (repository, number)
);
CREATE INDEX verdicts_head ON verdicts (repository, head_sha);

CREATE TABLE effects (
    key          TEXT   NOT NULL PRIMARY KEY,
    installation BIGINT NOT NULL,
    repository   BIGINT NOT NULL,
    external_id  TEXT   NOT NULL,             -- what GitHub calls the result, '' until it is known
    state        TEXT   NOT NULL CHECK (state IN ('begun', 'done')),
    attempts     BIGINT NOT NULL,
    begun_at     BIGINT NOT NULL,
    finished_at  BIGINT NOT NULL
);

CREATE TABLE answers (
    repository   BIGINT NOT NULL,
    question     TEXT   NOT NULL,             -- a hash
    index_hash   TEXT   NOT NULL,
    model        TEXT   NOT NULL,
    installation BIGINT NOT NULL,
    text         BYTEA  NOT NULL,             -- scanned
    made_at      BIGINT NOT NULL,
    PRIMARY KEY (repository, question, index_hash, model)
);

CREATE TABLE gaps (
    repository   BIGINT NOT NULL,
    id           TEXT   NOT NULL,             -- SHA-256 of the question
    installation BIGINT NOT NULL,
    question     BYTEA  NOT NULL,             -- scanned; nobody's name is kept with it
    asked        BIGINT NOT NULL,
    first_at     BIGINT NOT NULL,
    last_at      BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    PRIMARY KEY (repository, id)
);

CREATE TABLE segments (
    repository   BIGINT NOT NULL,
    tree         TEXT   NOT NULL,             -- git id of the skill's tree
    edition      BIGINT NOT NULL,
    rules        TEXT   NOT NULL,             -- hash of the rule set it was scanned with
    installation BIGINT NOT NULL,
    data         BYTEA  NOT NULL,             -- scanned facts, the writer's own format
    made_at      BIGINT NOT NULL,
    PRIMARY KEY (repository, tree, edition, rules)
);
