CREATE TABLE entity (
    sequence   BIGINT NOT NULL PRIMARY KEY,
    space      BIGINT NOT NULL,
    class      BIGINT NOT NULL,
    id         TEXT   NOT NULL,
    ident      TEXT,
    label      TEXT   NOT NULL,
    revision   BIGINT NOT NULL,
    tx         BIGINT NOT NULL,
    created_tx BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    document   TEXT   NOT NULL,
    UNIQUE (space, id),
    UNIQUE (space, ident)
);
CREATE INDEX entity_class ON entity (space, class, sequence);

CREATE TABLE entity_old (
    sequence   BIGINT NOT NULL,
    revision   BIGINT NOT NULL,
    space      BIGINT NOT NULL,
    class      BIGINT NOT NULL,
    id         TEXT   NOT NULL,
    ident      TEXT,
    label      TEXT   NOT NULL,
    tx         BIGINT NOT NULL,
    created_tx BIGINT NOT NULL,
    until_tx   BIGINT NOT NULL,
    is_last    BIGINT NOT NULL,
    document   TEXT   NOT NULL,
    PRIMARY KEY (sequence, revision)
);
CREATE INDEX entity_old_id ON entity_old (space, id, revision);
CREATE INDEX entity_old_ident ON entity_old (space, ident, until_tx);

CREATE TABLE entity_key (
    space    BIGINT NOT NULL,
    slot     BIGINT NOT NULL,
    k        TEXT ${exact} NOT NULL,
    sequence BIGINT NOT NULL,
    PRIMARY KEY (space, slot, k, sequence)
);

CREATE TABLE entity_ref (
    space  BIGINT NOT NULL,
    target TEXT   NOT NULL,
    slot   BIGINT NOT NULL,
    source BIGINT NOT NULL,
    PRIMARY KEY (space, target, slot, source)
);

CREATE TABLE entity_word (
    space    BIGINT NOT NULL,
    word     TEXT ${exact} NOT NULL,
    in_title BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    PRIMARY KEY (space, word, in_title, sequence)
);
