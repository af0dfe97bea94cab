package dev.caisson.upstream.connection;

import java.util.Map;
import java.util.Optional;

/// Credentials of the requests to one upstream over HTTP, as they are now.
public interface RequestCredentials {
    /// Headers of the next request.
    Map<String, String> headers() throws UpstreamFailure, InterruptedException;

    /// Takes up that the upstream refused a request for want of credentials.
    ///
    /// @param challenge `WWW-Authenticate` as it came
    /// @param sent the headers that did not do
    /// @return whether the request is worth sending again, once
    boolean refused(int status, Optional<String> challenge, Map<String, String> sent)
            throws UpstreamFailure, InterruptedException;

    /// Headers that are always the same: a refusal of them is final.
    static RequestCredentials fixed(Map<String, String> headers) {
        var all = Map.copyOf(headers);
        return new RequestCredentials() {
            @Override
            public Map<String, String> headers() {
                return all;
            }

            @Override
            public boolean refused(
                    int status, Optional<String> challenge, Map<String, String> sent) {
                return false;
            }

            // Without the values.
            @Override
            public String toString() {
                return "RequestCredentials" + all.keySet();
            }
        };
    }
}
