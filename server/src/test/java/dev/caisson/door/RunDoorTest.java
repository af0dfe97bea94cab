package dev.caisson.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Caller;
import dev.caisson.call.Change;
import dev.caisson.call.CodePlace;
import dev.caisson.call.Door;
import dev.caisson.call.FakeCall;
import dev.caisson.call.NestedIn;
import dev.caisson.call.NetworkRule;
import dev.caisson.call.NetworkRules;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.runs.ToolAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// What programs ask of their door, and what they get.
class RunDoorTest {
    private static String call(long id, String tool) {
        return "{\"id\":%d,\"call\":\"%s\",\"arguments\":{}}".formatted(id, tool);
    }

    @Test
    void a_call_is_one_of_its_run() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            assertThat(client.ask("{\"hello\":1,\"language\":\"python\"}"))
                    .isEqualTo(Json.parse("{\"hello\":1,\"execution\":\"exe_test\"}"));

            var answer = client.ask("{\"id\":7,\"call\":\"hub/echo\",\"arguments\":{\"a\":[1]}}");

            assertThat(answer)
                    .isEqualTo(
                            Json.parse(
                                    "{\"id\":7,\"ok\":true,\"data\":{\"a\":[1]},\"warnings\":[],\"files\":[]}"));
            var record = bench.recorded.getFirst();
            assertThat(record.door()).isEqualTo(Door.SANDBOX);
            assertThat(record.caller()).isEqualTo(DoorBench.caller());
            assertThat(record.notes().nestedIn()).contains(new NestedIn("exe_test", 1));
            assertThat(record.trace().parent()).isEqualTo(bench.door.door().span());
        }
    }

    @Test
    void what_programs_import_is_what_their_caller_may_call() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            assertThat(client.ask("{\"hello\":1}").has("view")).isFalse();

            var files = bench.door.door().wrappers().orElseThrow().directory();

            assertThat(client.ask("{\"hello\":1}").get("view").stringValue())
                    .isEqualTo(files.getFileName().toString());
            assertThat(files.toFile().list())
                    .containsExactlyInAnyOrder("hub", "caisson", "package.json");
            assertThat(files.resolve("caisson/__init__.py"))
                    .content()
                    .contains("files_list")
                    .doesNotContain("sandbox_execute");
            assertThat(files.resolve("hub/__init__.py")).content().doesNotContain("secret");
            var other = new Caller("key_2", "key", Set.of(Scope.ADMIN), Set.of());
            try (var theirs = bench.open(other)) {
                assertThat(
                                theirs.door()
                                        .wrappers()
                                        .orElseThrow()
                                        .directory()
                                        .resolve("hub/__init__.py"))
                        .content()
                        .contains("secret");
            }
        }
    }

    @Test
    void files_of_another_definition_are_warned_of() throws Exception {
        var call = "{\"id\":1,\"call\":\"hub/echo\",\"arguments\":{},\"definition\":%s}";
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            for (var same : List.of("\"3f2a91c0\"", "null")) {
                assertThat(client.ask(call.formatted(same)).get("warnings")).isEmpty();
            }
            var other = client.ask(call.formatted("\"3f2a91c1\""));
            assertThat(other.get("ok").booleanValue()).isTrue();
            assertThat(other.get("warnings")).isEqualTo(Json.parse("[\"definition_changed\"]"));
        }
        for (var bad : List.of("7", "\"3f2a91c\"", "\"3f2a91c00\"", "\"3F2A91C0\"")) {
            try (var bench = new DoorBench();
                    var client = bench.connect()) {
                client.send(call.formatted(bad));
                assertThat(client.isClosed()).as(bad).isTrue();
            }
        }
    }

    @Test
    void a_call_is_recorded_with_the_place_its_program_names() throws Exception {
        var call = "{\"id\":1,\"call\":\"hub/echo\",\"arguments\":{},\"at\":%s}";
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            var places =
                    List.of(
                            "{\"file\":\"/run/job/main.py\",\"line\":12}",
                            "{\"file\":\"a\\u202e\\u0007b\",\"line\":1}",
                            "{\"file\":\"%sz\",\"line\":1}".formatted("y".repeat(9_000)));
            for (var at : places) {
                assertThat(client.ask(call.formatted(at)).get("ok").booleanValue()).isTrue();
            }
            assertThat(bench.recorded)
                    .extracting(record -> record.notes().nestedIn().orElseThrow().at())
                    .containsExactly(
                            Optional.of(new CodePlace("/run/job/main.py", 12)),
                            Optional.of(new CodePlace("ab", 1)),
                            Optional.of(new CodePlace("y".repeat(255) + "z", 1)));
            bench.recorded.clear();
            for (var none :
                    List.of(
                            "null",
                            "7",
                            "{}",
                            "{\"file\":\"x\",\"line\":0}",
                            "{\"file\":\"\",\"line\":1}",
                            "{\"file\":\"\\u0000\",\"line\":1}",
                            "{\"file\":[],\"line\":1}",
                            "{\"file\":\"x\",\"line\":1e30}",
                            "{\"file\":\"x\",\"line\":99999999999999999999}")) {
                assertThat(client.ask(call.formatted(none)).get("ok").booleanValue())
                        .as(none)
                        .isTrue();
            }
            assertThat(bench.recorded)
                    .extracting(record -> record.notes().nestedIn().orElseThrow().at())
                    .hasSize(9)
                    .containsOnly(Optional.empty());
        }
    }

    @Test
    void a_program_hears_that_its_tools_are_others() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            client.ask("{\"hello\":1}");
            bench.changes().announce(new Change.Resources(_ -> true));
            bench.changes().announce(new Change.Tools(caller -> caller.id().equals("key_2")));
            assertThat(client.ask(call(1, "hub/echo")).has("ok")).isTrue();

            bench.changes().announce(new Change.Tools(_ -> true));

            assertThat(client.receive()).isEqualTo(Json.parse("{\"changed\":true}"));
            try (var later = bench.connect()) {
                later.ask("{\"hello\":1}");
                assertThat(later.receive()).isEqualTo(Json.parse("{\"changed\":true}"));
            }
        }
    }

    @Test
    void a_tool_that_does_not_heed_the_end_of_its_run_does_not_hold_it() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            client.send(call(1, "hub/stubborn"));
            await().until(() -> bench.waiting.get() == 1);

            bench.door.close();

            assertThat(bench.ended).hasValue(0);
            assertThat(bench.door.figures().calls()).isEqualTo(1);
            assertThat(bench.door.figures().unknown()).isEqualTo(1);
            bench.released.countDown();
            await().until(() -> bench.recorded.size() == 1);
            assertThat(bench.door.figures().calls()).isEqualTo(1);
        }
    }

    @Test
    void a_failure_has_a_type() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            assertThat(client.ask(call(1, "hub/fail")).get("error"))
                    .isEqualTo(
                            Json.parse(
                                    "{\"type\":\"ToolFailed\",\"message\":\"no such row\",\"retryable\":false,\"details\":{}}"));
            for (var unknown :
                    List.of(
                            "hub/none",
                            "none/echo",
                            "/",
                            "caisson/sandbox_execute",
                            "hub/../caisson/files_list",
                            "sandbox_execute/x")) {
                assertThat(client.ask(call(2, unknown)).get("error").get("type").stringValue())
                        .as(unknown)
                        .isEqualTo("UnknownTool");
            }
            var fault = client.ask(call(3, "hub/break")).get("error");
            assertThat(fault.get("message").stringValue()).doesNotContain("our fault");
            assertThat(client.ask(call(4, "caisson/files_list")).get("data").stringValue())
                    .isEqualTo("own");
            assertThat(bench.door.figures().calls()).isEqualTo(9);
            assertThat(bench.door.figures().failed()).isEqualTo(8);
            assertThat(bench.door.figures().denied()).isEqualTo(6);
            assertThat(bench.recorded).hasSize(9);
        }
    }

    @Test
    void the_result_as_it_came_is_there_for_who_wants_it() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            var raw = client.ask("{\"id\":1,\"call\":\"hub/fail\",\"arguments\":{},\"raw\":true}");
            assertThat(raw.get("raw"))
                    .isEqualTo(
                            Json.parse(
                                    "{\"content\":[{\"type\":\"text\",\"text\":\"no such row\"}],\"isError\":true}"));
        }
    }

    @Test
    void grants_narrow_what_the_run_may_call() throws Exception {
        var granted = Optional.of(List.of("hub.e*", "caisson.files_list"));
        try (var bench = new DoorBench(DoorSettings.DEFAULT, granted);
                var client = bench.connect()) {
            assertThat(client.ask(call(1, "hub/echo")).get("ok").booleanValue()).isTrue();
            assertThat(client.ask(call(2, "caisson/files_list")).get("ok").booleanValue()).isTrue();
            assertThat(client.ask(call(3, "hub/fail")).get("error").get("type").stringValue())
                    .isEqualTo("UnknownTool");
        }
    }

    @Test
    void answers_come_in_any_order() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            client.send(call(1, "hub/wait"));
            assertThat(client.ask(call(2, "hub/echo")).get("id").intValue()).isEqualTo(2);
            bench.released.countDown();
            assertThat(client.receive().get("id").intValue()).isEqualTo(1);
        }
    }

    @Test
    void a_key_with_a_network_has_no_tools_unless_the_operator_mixes_them() throws Exception {
        var online =
                DoorBench.caller()
                        .reaching(
                                new NetworkRules(
                                        List.of(new NetworkRule("a.example", List.of(443)))));
        try (var bench = new DoorBench()) {
            assertThat(bench.access(online, Optional.empty())).isEqualTo(ToolAccess.NONE);
            assertThat(bench.access(online, Optional.of(List.of()))).isEqualTo(ToolAccess.NONE);
            assertThatThrownBy(() -> bench.access(online, Optional.of(List.of("*"))))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("sandbox.mixed_modes");
        }
        var mixed = new DoorSettings(100, 3, Duration.ofSeconds(1), true);
        try (var bench = new DoorBench(mixed, Optional.of(List.of("*")))) {
            assertThat(bench.access(online, Optional.of(List.of("*"))))
                    .isNotEqualTo(ToolAccess.NONE);
        }
    }

    @Test
    void beyond_so_many_calls_nothing_more_is_read() throws Exception {
        try (var bench = new DoorBench(new DoorSettings(100, 3), Optional.of(List.of("*")));
                var client = bench.connect();
                var other = bench.connect()) {
            for (int id = 1; id <= 3; id++) {
                client.send(call(id, "hub/wait"));
            }
            await().until(() -> bench.waiting.get() == 3);
            for (int id = 1; id <= 4; id++) {
                other.send(call(id, "hub/wait"));
            }
            client.send(call(4, "hub/wait"));
            await().pollDelay(java.time.Duration.ofMillis(200)).until(() -> true);
            assertThat(bench.waiting).hasValue(3);
            bench.released.countDown();
            var ids = new TreeSet<Integer>();
            for (int id = 1; id <= 4; id++) {
                ids.add(client.receive().get("id").intValue());
                other.receive();
            }
            assertThat(ids).containsExactly(1, 2, 3, 4);
            assertThat(bench.waiting).hasValue(8);
        }
    }

    @Test
    void a_run_has_so_many_calls_and_no_more() throws Exception {
        try (var bench = new DoorBench(new DoorSettings(2, 64), Optional.of(List.of("*")));
                var client = bench.connect()) {
            assertThat(client.ask(call(1, "hub/echo")).get("ok").booleanValue()).isTrue();
            assertThat(client.ask(call(2, "hub/echo")).get("ok").booleanValue()).isTrue();
            assertThat(client.ask(call(3, "hub/echo")).get("error").get("type").stringValue())
                    .isEqualTo("Budget");
            assertThat(bench.recorded).hasSize(2);
        }
    }

    @Test
    void a_call_can_be_cancelled_and_its_connection_lives() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            client.send(call(1, "hub/wait"));
            await().until(() -> bench.waiting.get() == 1);
            client.send("{\"cancel\":99}");
            client.send("{\"cancel\":1}");
            assertThat(client.receive().get("error").get("type").stringValue())
                    .isEqualTo("Cancelled");
            assertThat(bench.ended).hasValue(1);
            assertThat(client.ask(call(1, "hub/echo")).get("ok").booleanValue()).isTrue();
        }
    }

    @Test
    void a_call_that_takes_too_long_is_ended() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            var late =
                    client.ask(
                            "{\"id\":1,\"call\":\"hub/wait\",\"arguments\":{},\"timeout_ms\":50}");
            assertThat(late.get("error").get("type").stringValue()).isEqualTo("Timeout");
            assertThat(late.get("error").get("retryable").booleanValue()).isTrue();
            var unknown =
                    client.ask(
                            "{\"id\":1,\"call\":\"hub/change\",\"arguments\":{},\"timeout_ms\":50}");
            assertThat(unknown.get("error").get("type").stringValue()).isEqualTo("OutcomeUnknown");
            assertThat(unknown.get("error").get("retryable").booleanValue()).isFalse();
            assertThat(bench.door.figures().unknown()).isEqualTo(1);
            var unsent =
                    client.ask(
                            "{\"id\":1,\"call\":\"hub/queued\",\"arguments\":{},\"timeout_ms\":50}");
            assertThat(unsent.get("error").get("type").stringValue()).isEqualTo("Timeout");
        }
    }

    @Test
    void the_end_of_a_connection_ends_its_calls() throws Exception {
        try (var bench = new DoorBench();
                var other = bench.connect()) {
            try (var client = bench.connect()) {
                client.send(call(1, "hub/wait"));
                other.send(call(1, "hub/wait"));
                await().until(() -> bench.waiting.get() == 2);
            }
            await().until(() -> bench.ended.get() == 1);
            await().until(() -> bench.recorded.size() == 1);
            bench.released.countDown();
            assertThat(other.receive().get("ok").booleanValue()).isTrue();
        }
    }

    @Test
    void the_end_of_the_run_ends_and_records_every_call() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            client.send(call(1, "hub/wait"));
            client.send(call(2, "hub/change"));
            await().until(() -> bench.waiting.get() == 2);
            bench.door.close();
            assertThat(bench.recorded).hasSize(2);
            assertThat(bench.ended).hasValue(2);
            assertThat(client.ask(call(3, "hub/echo")).get("ok").booleanValue()).isFalse();
        }
    }

    @Test
    void what_is_no_frame_ends_its_connection_and_nothing_else() throws Exception {
        try (var bench = new DoorBench();
                var other = bench.connect()) {
            var bad = new ArrayList<byte[]>();
            bad.add(new byte[] {0, 0, 0, 0});
            bad.add(new byte[] {0, 0, 0, 1, '{'});
            bad.add(new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff});
            bad.add(new byte[] {0, 0x10, 0, 1});
            bad.add(new byte[] {0, 0, 0, 2, '[', ']'});
            bad.add(new byte[] {0, 0, 0, 2, '{', '{'});
            bad.add(new byte[] {0, 0, 0, 2, (byte) 0xc3, 0x28});
            for (var bytes : bad) {
                try (var client = bench.connect()) {
                    client.raw(bytes);
                    assertThat(client.isClosed()).isTrue();
                }
            }
            for (var text :
                    List.of(
                            "{}",
                            "{\"id\":1}",
                            "{\"call\":\"hub/echo\"}",
                            "{\"id\":1.5,\"call\":\"hub/echo\"}",
                            "{\"id\":\"1\",\"call\":\"hub/echo\"}",
                            "{\"id\":99999999999999999999,\"call\":\"hub/echo\"}",
                            "{\"id\":1,\"call\":\"echo\"}",
                            "{\"id\":1,\"call\":7}",
                            "{\"id\":1,\"call\":\"hub/echo\",\"arguments\":[]}",
                            "{\"id\":1,\"call\":\"hub/echo\",\"arguments\":{\"a\":1,\"a\":2}}",
                            "{\"id\":1,\"call\":\"hub/echo\",\"timeout_ms\":\"x\"}",
                            "{\"id\":1,\"read\":{}}",
                            "{\"cancel\":null}",
                            "{\"id\":1,\"call\":\"hub/echo\",\"arguments\":"
                                    + "[".repeat(200)
                                    + "]".repeat(200)
                                    + "}")) {
                try (var client = bench.connect()) {
                    client.send(text);
                    assertThat(client.isClosed()).as(text).isTrue();
                }
            }
            assertThat(other.ask(call(1, "hub/echo")).get("ok").booleanValue()).isTrue();
        }
    }

    @Test
    void an_id_of_a_call_that_is_under_way_is_not_given_twice() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            client.send(call(1, "hub/wait"));
            await().until(() -> bench.waiting.get() == 1);
            client.send(call(1, "hub/echo"));
            assertThat(client.isClosed()).isTrue();
            await().until(() -> bench.ended.get() == 1);
        }
    }

    @Test
    void a_program_cannot_say_in_which_run_it_is() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            client.send("{\"hello\":1,\"execution\":\"exe_other\",\"caller\":\"key_2\"}");
            assertThat(client.receive().get("execution").stringValue()).isEqualTo("exe_test");
            client.ask(
                    "{\"id\":1,\"call\":\"hub/echo\",\"arguments\":{},\"execution\":\"exe_other\"}");
            assertThat(bench.recorded.getFirst().notes().nestedIn().orElseThrow().executionId())
                    .isEqualTo("exe_test");
        }
    }

    @Test
    void a_result_as_large_as_a_frame_is_sent_and_a_larger_one_is_refused() throws Exception {
        int overhead = "{\"id\":1,\"ok\":true,\"data\":\"\",\"warnings\":[],\"files\":[]}".length();
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            int most = DoorSettings.FRAME_OUT_MAX - overhead;
            var large = "{\"id\":1,\"call\":\"hub/large\",\"arguments\":{\"bytes\":%d}}";
            assertThat(client.ask(large.formatted(most)).get("data").stringValue()).hasSize(most);
            assertThat(client.ask(large.formatted(most + 1)).get("error").get("type").stringValue())
                    .isEqualTo("TooLarge");
        }
    }

    @Test
    void who_does_not_read_its_answers_is_left() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect();
                var other = bench.connect()) {
            int bytes = 12 << 20;
            for (int id = 1; id <= 4; id++) {
                client.send(
                        "{\"id\":%d,\"call\":\"hub/large\",\"arguments\":{\"bytes\":%d}}"
                                .formatted(id, bytes));
            }
            await().until(() -> bench.recorded.size() == 4);
            await().untilAsserted(() ->
                    assertThat(other.ask(call(1, "hub/echo")).get("ok").booleanValue()).isTrue());
            await().untilAsserted(() ->
                    assertThatThrownBy(
                                    () -> {
                                        while (true) {
                                            client.send(call(9, "hub/echo"));
                                        }
                                    })
                            .isInstanceOf(java.io.IOException.class));
        }
    }

    @Test
    void many_connections_hold_no_more_unread_answers_than_one() throws Exception {
        var clients = new ArrayList<FrameClient>();
        try (var bench = new DoorBench()) {
            int bytes = 12 << 20;
            for (int id = 1; id <= 4; id++) {
                var client = bench.connect();
                clients.add(client);
                client.send(
                        "{\"id\":%d,\"call\":\"hub/large\",\"arguments\":{\"bytes\":%d}}"
                                .formatted(id, bytes));
                int calls = id;
                await().until(() -> bench.recorded.size() == calls);
            }
            int closed = 0;
            for (var client : clients.reversed()) {
                closed += client.isClosed() ? 1 : 0;
            }
            assertThat(closed).isEqualTo(2);
        } finally {
            for (var client : clients) {
                client.close();
            }
        }
    }

    /// Whoever speaks of progress may serve others on the same thread: an upstream does.
    @Test
    void who_does_not_read_its_answers_holds_up_nobody_who_tells_of_progress() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            client.send("{\"id\":1,\"call\":\"hub/large\",\"arguments\":{\"bytes\":20000000}}");
            await().until(() -> bench.recorded.size() == 1);
            int times = 200_000;
            client.send(
                    "{\"id\":2,\"call\":\"hub/tell\",\"arguments\":{\"times\":%d}}"
                            .formatted(times));
            await().until(() -> bench.told.get() == times);
        }
    }

    @Test
    void a_program_hears_of_progress_before_the_answer() throws Exception {
        try (var bench = new DoorBench();
                var client = bench.connect()) {
            client.send("{\"id\":1,\"call\":\"hub/tell\",\"arguments\":{\"times\":1}}");
            assertThat(client.receive())
                    .isEqualTo(
                            Json.parse(
                                    "{\"id\":1,\"progress\":{\"done\":0.0,\"message\":\"so far\"}}"));
            assertThat(client.receive().get("data").stringValue()).isEqualTo("told");
        }
    }

    @Test
    void a_pattern_of_another_form_is_refused() throws Exception {
        try (var bench = new DoorBench()) {
            for (var pattern : List.of("github", "a.b.c", "", "A.b", "x y.z", "../a.b")) {
                assertThatThrownBy(() -> Grants.of(List.of(pattern)))
                        .as(pattern)
                        .isInstanceOf(Refusal.class)
                        .hasMessageContaining("github.*");
            }
            assertThat(FakeCall.by(DoorBench.caller())).isNotNull();
            assertThat(bench.recorded).isEmpty();
        }
    }
}
