CREATE TABLE model_number (
    next BIGINT NOT NULL
);
INSERT INTO model_number (next) VALUES (1000);

CREATE TABLE space (
    number         BIGINT NOT NULL PRIMARY KEY,
    name           TEXT   UNIQUE,
    home_of        TEXT   UNIQUE,
    owner          TEXT   NOT NULL,
    owner_name     TEXT   NOT NULL,
    label          TEXT   NOT NULL,
    model_revision BIGINT NOT NULL,
    entities       BIGINT NOT NULL,
    created_at     BIGINT NOT NULL
);
CREATE INDEX space_owner ON space (owner);

CREATE TABLE space_grant (
    space  BIGINT NOT NULL,
    caller TEXT   NOT NULL,
    access TEXT   NOT NULL,
    PRIMARY KEY (space, caller)
);
CREATE INDEX space_grant_caller ON space_grant (caller);
