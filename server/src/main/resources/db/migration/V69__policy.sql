CREATE TABLE policy_rule (
    name       TEXT ${exact} NOT NULL PRIMARY KEY,
    position   BIGINT NOT NULL,
    rule       TEXT   NOT NULL,
    made_by    TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    revision   BIGINT NOT NULL
);

CREATE TABLE policy_use (
    caller       TEXT ${exact} NOT NULL,
    rule         TEXT ${exact} NOT NULL,
    period       TEXT   NOT NULL,
    began_at     BIGINT NOT NULL,
    calls        BIGINT NOT NULL,
    result_bytes BIGINT NOT NULL,
    PRIMARY KEY (caller, rule, period)
);
