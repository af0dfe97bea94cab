package dev.caisson.oauth;

import dev.caisson.identity.VaultKey.Sealed;
import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// SQL statements on clients, tokens and authorizations under way. All values are sealed.
final class OAuthRows {
    private OAuthRows() {}

    /// Whose tokens they are.
    ///
    /// @param owner a caller, or nobody for those that all callers share
    record Key(String upstream, String owner) {}

    static Optional<Sealed> client(Transaction handle, String issuer) {
        return handle.query("SELECT key_id, nonce, value FROM oauth_client WHERE issuer = :issuer")
                .bind("issuer", issuer)
                .map(row -> sealed(row))
                .findOne();
    }

    static void putClient(Transaction handle, String issuer, Sealed value, Instant now) {
        handle.update(
                        """
                        INSERT INTO oauth_client (issuer, key_id, nonce, value, created_at)
                        VALUES (:issuer, :key_id, :nonce, :value, :now)
                        ON CONFLICT (issuer) DO UPDATE
                        SET key_id = excluded.key_id, nonce = excluded.nonce,
                            value = excluded.value, created_at = excluded.created_at
                        """)
                .bind("issuer", issuer)
                .bind("key_id", value.keyId())
                .bind("nonce", value.nonce())
                .bind("value", value.value())
                .bind("now", now.toEpochMilli())
                .execute();
    }

    /// A token with the issuer that gave it.
    record Token(String issuer, Sealed value) {}

    /// The newest, of whichever issuer.
    static Optional<Token> token(Transaction handle, Key key) {
        return handle.query(
                        """
                        SELECT issuer, key_id, nonce, value FROM oauth_token
                        WHERE upstream = :upstream AND owner = :owner
                        ORDER BY updated_at DESC, issuer LIMIT 1
                        """)
                .bind("upstream", key.upstream())
                .bind("owner", key.owner())
                .map(row -> new Token(row.getString("issuer"), sealed(row)))
                .findOne();
    }

    /// In place of those of other issuers: an upstream has one at a time.
    static void putToken(
            Transaction handle,
            Key key,
            String issuer,
            Sealed value,
            Optional<Instant> expires,
            Instant now) {
        deleteTokens(handle, key);
        handle.update(
                        """
                        INSERT INTO oauth_token
                            (upstream, owner, issuer, key_id, nonce, value, expires_at, updated_at)
                        VALUES (:upstream, :owner, :issuer, :key_id, :nonce, :value, :expires, :now)
                        """)
                .bind("upstream", key.upstream())
                .bind("owner", key.owner())
                .bind("issuer", issuer)
                .bind("key_id", value.keyId())
                .bind("nonce", value.nonce())
                .bind("value", value.value())
                .bind("expires", expires.map(Instant::toEpochMilli))
                .bind("now", now.toEpochMilli())
                .execute();
    }

    static void deleteTokens(Transaction handle, Key key) {
        handle.update("DELETE FROM oauth_token WHERE upstream = :upstream AND owner = :owner")
                .bind("upstream", key.upstream())
                .bind("owner", key.owner())
                .execute();
    }

    /// Those there are tokens for.
    static List<String> upstreams(Transaction handle) {
        return handle.query("SELECT DISTINCT upstream FROM oauth_token").mapTo(String.class).list();
    }

    static int deleteTokensOf(Transaction handle, String upstream) {
        return handle.update("DELETE FROM oauth_token WHERE upstream = :upstream")
                .bind("upstream", upstream)
                .execute();
    }

    static int deleteTokensOfOwner(Transaction handle, String owner) {
        return handle.update("DELETE FROM oauth_token WHERE owner = :owner")
                .bind("owner", owner)
                .execute();
    }

    static void putState(
            Transaction handle, String hash, String owner, Sealed value, Instant expires) {
        handle.update(
                        """
                        INSERT INTO oauth_state (state_hash, owner, key_id, nonce, value, expires_at)
                        VALUES (:hash, :owner, :key_id, :nonce, :value, :expires)
                        """)
                .bind("hash", hash)
                .bind("owner", owner)
                .bind("key_id", value.keyId())
                .bind("nonce", value.nonce())
                .bind("value", value.value())
                .bind("expires", expires.toEpochMilli())
                .execute();
    }

    static void deleteStatesBefore(Transaction handle, Instant moment) {
        handle.update("DELETE FROM oauth_state WHERE expires_at < :moment")
                .bind("moment", moment.toEpochMilli())
                .execute();
    }

    static List<String> stateHashes(Transaction handle, String owner) {
        return handle.query("SELECT state_hash FROM oauth_state WHERE owner = :owner")
                .bind("owner", owner)
                .mapTo(String.class)
                .list();
    }

    static long states(Transaction handle, String owner) {
        return handle.query("SELECT COUNT(*) FROM oauth_state WHERE owner = :owner")
                .bind("owner", owner)
                .mapTo(Long.class)
                .one();
    }

    static Optional<Sealed> state(Transaction handle, String hash, Instant now) {
        return handle.query(
                        """
                        SELECT key_id, nonce, value FROM oauth_state
                        WHERE state_hash = :hash AND expires_at >= :now
                        """)
                .bind("hash", hash)
                .bind("now", now.toEpochMilli())
                .map(row -> sealed(row))
                .findOne();
    }

    static boolean deleteState(Transaction handle, String hash) {
        return handle.update("DELETE FROM oauth_state WHERE state_hash = :hash")
                        .bind("hash", hash)
                        .execute()
                > 0;
    }

    private static Sealed sealed(ResultSet row) throws SQLException {
        return new Sealed(row.getString("key_id"), row.getString("nonce"), row.getString("value"));
    }
}
