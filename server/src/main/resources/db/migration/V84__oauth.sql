-- Clients that were registered at authorization servers, tokens for upstreams, and authorizations
-- under way. All values are sealed by the vault.
CREATE TABLE oauth_client (
    issuer     TEXT ${exact} NOT NULL PRIMARY KEY,
    key_id     TEXT   NOT NULL,
    nonce      TEXT   NOT NULL,
    value      TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE oauth_token (
    upstream   TEXT ${exact} NOT NULL,
    owner      TEXT ${exact} NOT NULL,
    issuer     TEXT ${exact} NOT NULL,
    key_id     TEXT   NOT NULL,
    nonce      TEXT   NOT NULL,
    value      TEXT   NOT NULL,
    expires_at BIGINT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (upstream, owner, issuer)
);

CREATE TABLE oauth_state (
    state_hash TEXT   NOT NULL PRIMARY KEY,
    owner      TEXT ${exact} NOT NULL,
    key_id     TEXT   NOT NULL,
    nonce      TEXT   NOT NULL,
    value      TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX oauth_state_owner ON oauth_state (owner);
