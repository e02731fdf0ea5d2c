-- What finds work that no delivery told of, and what ends what is left of somebody
-- who is gone. Times are UTC unix milliseconds.

CREATE TABLE rounds (
    installation BIGINT  NOT NULL,
    repository   BIGINT  NOT NULL,            -- 0 is the installation's list of repositories
    due_at       BIGINT  NOT NULL,            -- while somebody works on it: the end of the lease
    looked_at    BIGINT  NOT NULL,            -- when it was last done to its end, 0 is never
    tip          BOOLEAN NOT NULL,            -- the default branch's head wants a run too
    tries        BIGINT  NOT NULL,            -- that failed, one after the other
    PRIMARY KEY (installation, repository)
);
CREATE INDEX rounds_due ON rounds (due_at);
CREATE INDEX rounds_repository ON rounds (repository);
CREATE INDEX pulls_installation ON pulls (installation);

CREATE TABLE duties (                         -- of the whole App, one row each
    name         TEXT   NOT NULL PRIMARY KEY,
    due_at       BIGINT NOT NULL,             -- as above
    mark         TEXT   NOT NULL              -- where it stopped, in its own form
);

CREATE TABLE redeliveries (                   -- failed deliveries to be asked for again
    guid         TEXT   NOT NULL PRIMARY KEY,
    installation BIGINT NOT NULL,
    repository   BIGINT NOT NULL,
    delivery     BIGINT NOT NULL,             -- GitHub's id of the failed attempt
    delivered_at BIGINT NOT NULL,
    tries        BIGINT NOT NULL,
    due_at       BIGINT NOT NULL
);

CREATE TABLE parts (                          -- of a delivery whose work is several jobs
    guid         TEXT   NOT NULL,
    part         BIGINT NOT NULL,             -- the pull request's number
    installation BIGINT NOT NULL,
    repository   BIGINT NOT NULL,
    PRIMARY KEY (guid, part)
);

CREATE TABLE farewells (                      -- forgotten, but jobs of it still ran
    installation BIGINT NOT NULL,
    repository   BIGINT NOT NULL,             -- 0 is the whole installation
    PRIMARY KEY (installation, repository)
);
