package dev.caisson.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.share.GrowingShare;
import dev.caisson.share.Share;
import dev.caisson.share.ShareLimit;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/// What is hard to bring about over a socket: the order of calls from several threads.
class JettyStreamTest {
    /// A write as the HTTP library is asked for it.
    private record Write(boolean last, String text, Callback callback) {}

    private static Response response(Consumer<Write> written) {
        return (Response)
                Proxy.newProxyInstance(
                        Response.class.getClassLoader(),
                        new Class<?>[] {Response.class},
                        (_, method, arguments) -> {
                            assertThat(method.getName()).isEqualTo("write");
                            var text = UTF_8.decode((ByteBuffer) arguments[1]).toString();
                            written.accept(
                                    new Write(
                                            (Boolean) arguments[0], text, (Callback) arguments[2]));
                            return null;
                        });
    }

    private static JettyStream stream(Consumer<Write> written) {
        var answers =
                new GrowingShare(new Share("answers", "bytes", 1, ShareLimit.DEFAULT), "somebody");
        var memory = new JettyStream.Memory(answers, _ -> 0);
        return new JettyStream(response(written), 1000, memory, Callback.NOOP, (_, _) -> {});
    }

    @Test
    void a_stream_that_is_closed_before_its_head_is_sent_sends_the_head_first() {
        var writes = new ArrayList<Write>();
        var stream = stream(writes::add);

        stream.write("words".getBytes(UTF_8));
        stream.close();
        assertThat(writes).isEmpty();
        stream.start();
        writes.getFirst().callback().succeeded();

        assertThat(writes).extracting(Write::last).containsExactly(false, true);
        assertThat(writes).extracting(Write::text).containsExactly("", "words");
    }

    @Test
    void writes_that_end_at_once_do_not_pile_up_on_the_stack() {
        var left = new ArrayList<>(List.of(100_000));
        var stream = new AtomicReference<JettyStream>();
        stream.set(
                stream(write -> {
                    var count = left.removeFirst();
                    left.add(count - 1);
                    if (count > 0) {
                        stream.get().write("x".getBytes(UTF_8));
                    }
                    write.callback().succeeded();
                }));

        stream.get().start();

        assertThat(left).containsExactly(-1);
    }
}
