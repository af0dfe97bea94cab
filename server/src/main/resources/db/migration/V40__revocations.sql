CREATE INDEX api_key_revoked ON api_key (revoked_at);
