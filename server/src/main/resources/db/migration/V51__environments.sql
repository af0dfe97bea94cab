CREATE TABLE environment (
    name TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL,
    manifest TEXT NOT NULL,
    baked_at BIGINT NOT NULL
);
