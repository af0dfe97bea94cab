package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.broker.RecordedCall;
import dev.caisson.call.CodePlace;
import dev.caisson.call.Door;
import dev.caisson.json.Json;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Programs in real sandboxes call tools as functions.
class ProgramToolsTest extends RealToolsTestCase {
    private final HubTools hub = new HubTools();
    private final List<RecordedCall> recorded = new CopyOnWriteArrayList<>();
    private ToolBench tools;

    @BeforeAll
    void openTools() throws Exception {
        tools = bench(Files.createDirectory(data.resolve("hub")), hub.all(), recorded::add);
    }

    @AfterAll
    void closeTools() {
        tools.sessions.close();
    }

    private JsonNode run(String language, String code) throws Exception {
        return run(Json.object().put("language", language).put("code", code));
    }

    private JsonNode run(ObjectNode arguments) throws Exception {
        return report(tools.call("sandbox_execute", Json.text(arguments)));
    }

    private JsonNode python(String code) throws Exception {
        var report = run("python", code);
        assertThat(report.get("stderr").stringValue()).isEmpty();
        return report;
    }

    private String said(String code) throws Exception {
        return python(code).get("stdout").stringValue();
    }

    @Test
    void a_call_takes_a_dict_or_keywords_or_both() throws Exception {
        assertThat(
                        said(
                                """
                                from caisson.servers import hub
                                print(hub.add({"a": 1, "b": 2}), hub.add(a=1, b=3), hub.add({"a": 1}, b=4))
                                print(hub.echo(from_="x", other_="y"))
                                """))
                .isEqualTo("{'sum': 3} {'sum': 4} {'sum': 5}\n{'from': 'x', 'other_': 'y'}\n");
    }

    @Test
    void a_failure_is_an_exception_with_a_type() throws Exception {
        assertThat(
                        said(
                                """
                                import caisson
                                from caisson.servers import hub, nobody
                                for attempt in (hub.fail, lambda: hub.add(a="x"), nobody.there,
                                        caisson.servers.caisson.sandbox_execute):
                                    try:
                                        attempt()
                                    except caisson.ToolError as error:
                                        print(error.type, error.retryable)
                                print(hub.fail.result())
                                print(hub.add.result(a=1, b=1)["data"])
                                """))
                .isEqualTo(
                        """
                        ToolFailed False
                        InvalidArguments False
                        UnknownTool False
                        UnknownTool False
                        {'ok': False, 'error': {'type': 'ToolFailed', 'message': 'no such row: 7', 'retryable': False, 'details': {}}, 'raw': {'content': [{'type': 'text', 'text': 'no such row: 7'}], 'isError': True}}
                        {'sum': 2}
                        """);
    }

    @Test
    void calls_run_side_by_side_in_threads_and_when_gathered() throws Exception {
        assertThat(
                        said(
                                """
                                import asyncio
                                from concurrent.futures import ThreadPoolExecutor
                                from caisson.servers import hub
                                with ThreadPoolExecutor(4) as pool:
                                    print(list(pool.map(lambda _: hub.meet(), range(4))))
                                async def main():
                                    print(await asyncio.gather(*[hub.meet() for _ in range(4)]))
                                    print(hub.add.sync(a=1, b=1))
                                    sent = hub.add(a=1, b=1)
                                    try:
                                        sent["sum"]
                                    except TypeError as problem:
                                        print(problem)
                                    await sent
                                asyncio.run(main())
                                """))
                .isEqualTo(
                        """
                        ['met', 'met', 'met', 'met']
                        ['met', 'met', 'met', 'met']
                        {'sum': 2}
                        hub/add was not awaited: write await before it
                        """);
    }

    @Test
    void await_at_the_top_of_a_program_works() throws Exception {
        assertThat(said("from caisson.servers import hub\nprint(await hub.add(a=1, b=1))"))
                .isEqualTo("{'sum': 2}\n");
    }

    @Test
    void binary_content_becomes_a_file_of_the_sandbox() throws Exception {
        assertThat(
                        said(
                                """
                                from caisson.servers import hub
                                picture, = hub.picture()
                                print(picture["type"], picture["mime_type"], open(picture["path"], "rb").read())
                                """))
                .isEqualTo("image image/png b'hello'\n");
    }

    @Test
    void a_forked_process_has_a_connection_of_its_own() throws Exception {
        assertThat(
                        said(
                                """
                                import os
                                from caisson.servers import hub
                                print(hub.add(a=1, b=1), flush=True)
                                if os.fork() == 0:
                                    print(hub.add(a=2, b=2), flush=True)
                                    os._exit(0)
                                os.wait()
                                print(hub.add(a=3, b=3))
                                """))
                .isEqualTo("{'sum': 2}\n{'sum': 4}\n{'sum': 6}\n");
    }

    @Test
    void the_report_counts_calls_and_every_call_is_recorded_with_its_run() throws Exception {
        recorded.clear();
        var report =
                python(
                        """
                        from caisson.servers import hub
                        for n in range(3): hub.add(a=n, b=n)
                        hub.fail.result()
                        hub.none.result()
                        result = hub.echo(text="x" * 5000)["text"][:2]
                        """);
        var figures = report.get("tools");
        assertThat(figures.get("calls").intValue()).isEqualTo(6);
        assertThat(figures.get("failed").intValue()).isEqualTo(2);
        assertThat(figures.get("denied").intValue()).isEqualTo(1);
        assertThat(figures.get("unknown").intValue()).isZero();
        assertThat(figures.get("result_bytes").intValue()).isGreaterThan(5_000);
        assertThat(figures.get("tokens_kept").intValue()).isGreaterThan(2_400);
        assertThat(figures.get("estimated").booleanValue()).isTrue();
        assertThat(report.get("result").get("data").stringValue()).isEqualTo("xx");
        var nested = recorded.stream().filter(call -> call.door() == Door.SANDBOX).toList();
        assertThat(nested).hasSize(6);
        for (int at = 0; at < nested.size(); at++) {
            var place = nested.get(at).notes().nestedIn().orElseThrow();
            assertThat(place.executionId()).isEqualTo(report.get("execution_id").stringValue());
            assertThat(place.number()).isEqualTo(at + 1);
        }
    }

    private List<CodePlace> places() {
        return recorded.stream()
                .flatMap(call -> call.notes().nestedIn().stream())
                .flatMap(place -> place.at().stream())
                .toList();
    }

    @Test
    void a_call_is_recorded_with_the_line_that_made_it() throws Exception {
        recorded.clear();
        python(
                """
                import asyncio, caisson
                from caisson.servers import hub
                hub.add(a=1, b=1)
                def below():
                    return hub.add.result(a=1, b=2)
                below()
                async def main():
                    await hub.add(a=1, b=3)
                asyncio.run(main())
                caisson.call("hub.add", a=1, b=4)
                caisson.read_resource("hub", "a://b")
                """);
        assertThat(places()).extracting(CodePlace::line).containsExactly(3, 5, 8, 10, 11);
        assertThat(places()).extracting(CodePlace::file).allMatch(file -> file.endsWith("main.py"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "typescript"})
    void a_call_of_node_is_recorded_with_the_line_that_made_it(String language) throws Exception {
        recorded.clear();
        node(
                language,
                """
                import { servers, call, readResource } from 'caisson'
                await servers.hub.add({ a: 1, b: 1 })
                const below = async () => {
                  await null
                  return servers.hub.add.result({ a: 1, b: 2 })
                }
                Error.stackTraceLimit = 0
                Error.prepareStackTrace = () => 'mine'
                await below()
                await call('hub.add', { a: 1, b: 4 })
                await readResource('hub', 'a://b')
                console.log(Error.stackTraceLimit, new Error('').stack)
                """);
        assertThat(places()).extracting(CodePlace::line).containsExactly(2, 5, 10, 11);
        assertThat(places())
                .extracting(CodePlace::file)
                .allMatch(file -> file.startsWith("/run/job/"));
    }

    @Test
    void a_program_reads_resources_and_hears_of_changes() throws Exception {
        var python =
                "[{'type': 'resource', 'uri': 'a://b', 'mime_type': 'text/plain', 'text': 'read'}]";
        assertThat(
                        said(
                                """
                                import caisson
                                print(caisson.read_resource("hub", "a://b"), caisson.changed())
                                """))
                .isEqualTo(python + " False\n");
        assertThat(
                        node(
                                "node",
                                """
                                import { readResource, changed } from 'caisson'
                                console.log(await changed(), (await readResource('hub', 'a://b'))[0].text)
                                """))
                .isEqualTo("false read\n");
    }

    @Test
    void the_tools_of_a_run_can_be_narrowed() throws Exception {
        var code =
                """
                import caisson
                for name in ("hub.add", "hub.echo", "caisson.files_list"):
                    print(caisson.call(name, {"a": 1, "b": 1}) if name == "hub.add" else
                        getattr(getattr(caisson.servers, name.split(".")[0]), name.split(".")[1]).result()["ok"])
                """;
        var arguments = Json.object().put("code", code);
        arguments.putArray("tools").add("hub.add");
        assertThat(run(arguments).get("stdout").stringValue())
                .isEqualTo("{'sum': 2}\nFalse\nFalse\n");
        var none = Json.object().put("code", "import os; print('CAISSON_DOOR' in os.environ)");
        none.putArray("tools");
        assertThat(run(none).get("stdout").stringValue()).isEqualTo("False\n");
        assertThat(run(none).get("tools").isNull()).isTrue();
    }

    @Test
    void own_tools_without_a_run_of_their_own_can_be_called() throws Exception {
        var arguments =
                Json.object()
                        .put("thread_id", "narrow")
                        .put(
                                "code",
                                """
                                from caisson.servers import caisson
                                print(len(caisson.list_runners()) > 0)
                                """);
        assertThat(run(arguments).get("output").stringValue()).isEqualTo("True\n");
    }

    @Test
    void calls_under_way_end_with_the_run() throws Exception {
        recorded.clear();
        var report =
                run(
                        "python",
                        """
                        import threading, time, os
                        from caisson.servers import hub
                        threading.Thread(target=hub.wait, daemon=True).start()
                        time.sleep(1)
                        os._exit(3)
                        """);
        assertThat(report.get("exit_code").intValue()).isEqualTo(3);
        await().until(() -> hub.interrupted.get() == hub.waiting.get());
        assertThat(hub.waiting.get()).isPositive();
        assertThat(recorded).filteredOn(call -> call.door() == Door.SANDBOX).hasSize(1);
        assertThat(report.get("tools").get("calls").intValue()).isEqualTo(1);
    }

    @Test
    void a_run_out_of_time_ends_its_calls() throws Exception {
        var arguments =
                Json.object()
                        .put("code", "from caisson.servers import hub\nhub.wait()")
                        .put("timeout", 2);
        assertThat(run(arguments).get("status").stringValue()).isEqualTo("timeout");
        await().until(() -> hub.interrupted.get() == hub.waiting.get());
    }

    @Test
    void in_a_session_every_cell_has_its_own_calls() throws Exception {
        var first =
                session(
                        """
                        from caisson.servers import hub
                        print(hub.add(a=1, b=1))
                        """);
        var second = session("print(hub.add(a=2, b=2))\nprint(hub.add(a=3, b=3))");
        assertThat(first.get("stdout").stringValue()).isEqualTo("{'sum': 2}\n");
        assertThat(second.get("stdout").stringValue()).isEqualTo("{'sum': 4}\n{'sum': 6}\n");
        assertThat(second.get("tools").get("calls").intValue()).isEqualTo(2);
    }

    private JsonNode session(String code) throws Exception {
        return run(Json.object().put("code", code).put("session", true).put("thread_id", "cells"));
    }

    private String node(String language, String code) throws Exception {
        var report = run(language, code);
        assertThat(report.get("stderr").stringValue()).isEmpty();
        return report.get("stdout").stringValue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "typescript"})
    void a_call_of_node_is_a_promise(String language) throws Exception {
        assertThat(
                        node(
                                language,
                                """
                                import { servers, ToolError, call } from 'caisson'
                                const { hub, nobody } = servers
                                console.log(await hub.add({ a: 1, b: 2 }), await call('hub.add', { a: 1, b: 1 }))
                                for (const attempt of [() => hub.fail(), () => hub.add({ a: 'x' }), () => nobody.there()]) {
                                  try {
                                    await attempt()
                                  } catch (error) {
                                    console.log(error instanceof ToolError, error.type, error.retryable)
                                  }
                                }
                                console.log((await hub.fail.result()).error.message, (await hub.add.result({ a: 1, b: 1 })).data)
                                console.log(await Promise.all([hub.meet(), hub.meet(), hub.meet(), hub.meet()]))
                                const [picture] = await hub.picture()
                                console.log(picture.path.startsWith('/tmp/tools/'), picture.bytes)
                                """))
                .isEqualTo(
                        """
                        { sum: 3 } { sum: 2 }
                        true ToolFailed false
                        true InvalidArguments false
                        true UnknownTool false
                        no such row: 7 { sum: 2 }
                        [ 'met', 'met', 'met', 'met' ]
                        true 5
                        """);
    }

    @Test
    void a_program_of_node_in_the_older_form_imports_too() throws Exception {
        assertThat(
                        node(
                                "node",
                                """
                                const path = require('path')
                                import('caisson').then(async ({ servers }) => console.log(path.sep, await servers.hub.add({ a: 1, b: 1 })))
                                """))
                .isEqualTo("/ { sum: 2 }\n");
    }

    @Test
    void a_session_of_node_calls_tools_in_every_cell() throws Exception {
        var cell =
                Json.object()
                        .put("language", "node")
                        .put("session", true)
                        .put("thread_id", "nodes");
        var first =
                run(
                        cell.deepCopy()
                                .put(
                                        "code",
                                        "import { servers } from 'caisson'\nconsole.log(await servers.hub.add({ a: 1, b: 1 }))"));
        var second =
                run(
                        cell.deepCopy()
                                .put("code", "console.log(await servers.hub.add({ a: 2, b: 2 }))"));
        assertThat(first.get("output").stringValue()).isEqualTo("{ sum: 2 }\n");
        assertThat(second.get("output").stringValue()).isEqualTo("{ sum: 4 }\n");
    }

    @Test
    void bash_calls_with_a_command_whose_code_says_how_it_went() throws Exception {
        var report =
                run(
                        "bash",
                        """
                        caisson-call hub add '{"a":1,"b":2}'; echo $?
                        caisson-call hub echo --text "a b" --n=1; echo $?
                        caisson-call hub fail 2>/dev/null; echo $?
                        caisson-call hub; echo $?
                        caisson-call nobody there 2>/dev/null; echo $?
                        CAISSON_DOOR=127.0.0.1:1 caisson-call hub add 2>/dev/null; echo $?
                        """);
        assertThat(report.get("stdout").stringValue())
                .isEqualTo("{\"sum\": 3}\n0\n{\"text\": \"a b\", \"n\": \"1\"}\n0\n1\n2\n1\n4\n");
        assertThat(report.get("stderr").stringValue()).contains("\"Usage\"");
    }
}
