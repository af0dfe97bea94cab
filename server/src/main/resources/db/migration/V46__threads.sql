CREATE TABLE thread (
    directory  TEXT   NOT NULL,
    place      TEXT   NOT NULL,
    owner      TEXT   NOT NULL,
    thread     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (directory, place)
);

CREATE INDEX thread_place ON thread (place);
