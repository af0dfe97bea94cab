-- What was learned of the results of tools that declare no type of theirs: never a value of one.
CREATE TABLE tool_shape (
    upstream   TEXT ${exact} NOT NULL,
    tool       TEXT ${exact} NOT NULL,
    hash       TEXT   NOT NULL,
    shape      TEXT   NOT NULL,
    seen       BIGINT NOT NULL,
    drifted_at BIGINT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (upstream, tool, hash)
);

CREATE INDEX tool_shape_updated ON tool_shape (updated_at);
