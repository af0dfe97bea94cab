CREATE TABLE upstream (
    id         TEXT   NOT NULL PRIMARY KEY,
    origin     TEXT   NOT NULL,
    settings   TEXT   NOT NULL,
    era        TEXT,
    take_first BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision   BIGINT NOT NULL,
    refresh_at BIGINT NOT NULL DEFAULT 0,
    restart_at BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE upstream_tool (
    upstream      TEXT   NOT NULL,
    name          TEXT   NOT NULL,
    state         TEXT   NOT NULL,
    reason        TEXT,
    hash          TEXT   NOT NULL,
    definition    TEXT   NOT NULL,
    approved_hash TEXT,
    approved      TEXT,
    python_name   TEXT,
    js_name       TEXT,
    effect        TEXT,
    seen_at       BIGINT NOT NULL,
    reviewed_at   BIGINT,
    reviewed_by   TEXT,
    PRIMARY KEY (upstream, name)
);
