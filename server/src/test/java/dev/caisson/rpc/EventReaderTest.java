package dev.caisson.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Events are read as they are specified, and never beyond their limit.
class EventReaderTest {
    private static final int BYTES_MAX = 20;

    private static EventReader reader(String stream) {
        return new EventReader(
                new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)), BYTES_MAX);
    }

    private static List<String> all(EventReader reader) throws IOException {
        var found = new ArrayList<String>();
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
            var event = next.get();
            found.add(event.type() + "=" + new String(event.data(), StandardCharsets.UTF_8));
        }
        return found;
    }

    @Test
    void lines_may_end_in_three_ways() throws IOException {
        for (var end : List.of("\n", "\r\n", "\r")) {
            var stream = "event: a\ndata: 1\ndata:2\n\n: comment\ndata:  3\n\n";
            assertThat(all(reader(stream.replace("\n", end))))
                    .as(end.replace("\r", "CR").replace("\n", "LF"))
                    .containsExactly("a=1\n2", "message= 3");
        }
    }

    @Test
    void it_does_not_matter_how_the_bytes_arrive() throws IOException {
        var bytes = "data: 1\r\n\r\nevent: b\r\ndata: 2\r\n\r\n".getBytes(StandardCharsets.UTF_8);
        var slowly =
                new InputStream() {
                    private int at;

                    @Override
                    public int read() {
                        return at < bytes.length ? bytes[at++] : -1;
                    }

                    @Override
                    public int read(byte[] into, int offset, int length) {
                        int next = read();
                        into[offset] = (byte) next;
                        return next < 0 ? -1 : 1;
                    }
                };
        assertThat(all(new EventReader(slowly, BYTES_MAX))).containsExactly("message=1", "b=2");
    }

    @Test
    void an_event_that_breaks_off_is_none() throws IOException {
        assertThat(all(reader("data: 1\n\ndata: 2\n"))).containsExactly("message=1");
        assertThat(all(reader("data: 1\n\ndata: 2"))).containsExactly("message=1");
    }

    @Test
    void an_event_without_data_is_none() throws IOException {
        assertThat(all(reader("event: a\n\ndata: 1\n\n"))).containsExactly("message=1");
        assertThat(all(reader("data\n\n"))).containsExactly("message=");
    }

    @Test
    void a_mark_may_begin_the_stream() throws IOException {
        assertThat(all(reader("\ufeffdata: 1\n\n"))).containsExactly("message=1");
    }

    @Test
    void where_to_go_on_and_when_is_kept() throws IOException {
        var reader = reader("id: 7\nretry: 1500\ndata: 1\n\nid: a\u0001b\nretry: soon\n\n");
        all(reader);
        assertThat(reader.lastId()).contains("7");
        assertThat(reader.retry()).contains(Duration.ofMillis(1_500));
    }

    @Test
    void the_wait_that_a_server_asks_for_is_bounded() throws IOException {
        var reader = reader("retry: 999999999\n\n");
        all(reader);
        assertThat(reader.retry()).contains(Duration.ofMinutes(1));
    }

    @Test
    void an_event_of_the_limit_is_read_and_a_longer_one_is_not() throws IOException {
        var most = "x".repeat(BYTES_MAX);
        assertThat(all(reader("data: " + most + "\n\n"))).containsExactly("message=" + most);
        assertThatThrownBy(() -> all(reader("data: x" + most + "\n\n")))
                .isInstanceOf(EventReader.EventTooLong.class);
    }

    @Test
    void many_lines_together_have_the_same_limit() {
        assertThatThrownBy(() -> all(reader("data: 0123456789\n".repeat(3) + "\n")))
                .isInstanceOf(EventReader.EventTooLong.class);
    }

    @Test
    void an_endless_line_is_left() {
        var endless =
                new InputStream() {
                    @Override
                    public int read() {
                        return 'x';
                    }
                };
        assertThatThrownBy(() -> new EventReader(endless, BYTES_MAX).next())
                .isInstanceOf(EventReader.EventTooLong.class);
    }

    @Test
    void a_field_that_is_no_utf_8_is_refused() {
        var bytes = new byte[] {'e', 'v', 'e', 'n', 't', ':', (byte) 0xff, '\n', '\n'};
        assertThatThrownBy(() -> new EventReader(new ByteArrayInputStream(bytes), BYTES_MAX).next())
                .isInstanceOf(CharacterCodingException.class);
    }
}
