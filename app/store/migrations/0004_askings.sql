-- Who asked how much within the last hour, so that nobody asks too often: numbers
-- that GitHub gives, no name and no word of a question. Rows end after an hour.
CREATE TABLE askings (
    repository   BIGINT  NOT NULL,
    delivery     TEXT    NOT NULL,            -- so that an attempt that is repeated counts once
    installation BIGINT  NOT NULL,
    person       BIGINT  NOT NULL,            -- GitHub's number of the account
    questions    BIGINT  NOT NULL,            -- 0 where they were refused
    until_at     BIGINT  NOT NULL,            -- of a refusal that was told: when one may ask again
    noted        BOOLEAN NOT NULL,            -- what it left undocumented is counted
    asked_at     BIGINT  NOT NULL,
    PRIMARY KEY (repository, delivery)
);

-- Whether a comment was changed after a delivery of it came.
CREATE INDEX deliveries_comment ON deliveries (repository, comment);
