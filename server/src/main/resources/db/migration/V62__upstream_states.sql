-- What a server that serves knows of an upstream, for commands beside it.
ALTER TABLE upstream ADD COLUMN state     TEXT;
ALTER TABLE upstream ADD COLUMN trouble   TEXT;
ALTER TABLE upstream ADD COLUMN listed_at BIGINT NOT NULL DEFAULT 0;
