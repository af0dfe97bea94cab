package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.json.Json;
import dev.caisson.sandbox.NestSettings;
import dev.caisson.session.SessionLimits;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Programs in real sandboxes import tools from files.
class ImportedToolsTest extends RealToolsTestCase {
    /// Texts that would end a string or a comment, if they could.
    private static final List<String> HOSTILE =
            List.of(
                    "\"",
                    "\"\"\"",
                    "'''",
                    "\\",
                    "*/",
                    "`${process.exit()}`",
                    "\n",
                    "\r",
                    "\u2028",
                    "\u0000",
                    "\ud83d",
                    "{}%s",
                    "//",
                    "#",
                    "import os\n");

    private ToolBench tools;

    @BeforeAll
    void openTools() throws Exception {
        var others = new ArrayList<>(new HubTools().all());
        others.add(tool("odd", "class_", "class_", "class", "Says \"hello\" \\"));
        others.add(tool("odd", "get_item", "getItem", "get-item", "Gets."));
        others.add(tool("odd", "get_item_2f", "getItem2f", "get_item", "Gets, too."));
        others.add(tool("dashed-one", "make_it", "makeIt", "make.it", "Makes it of odd parts."));
        var random = new Random(7);
        for (int at = 0; at < 60; at++) {
            var text = new StringBuilder("Text");
            for (int part = 0; part < 6; part++) {
                text.append(HOSTILE.get(random.nextInt(HOSTILE.size())));
            }
            others.add(tool("fuzz", "f" + at, "f" + at, "f" + at, text.toString()));
        }
        tools = bench(Files.createDirectory(data.resolve("imported")), others, _ -> {});
    }

    @AfterAll
    void closeTools() {
        tools.sessions.close();
    }

    private static Tool tool(
            String server, String function, String script, String name, String description) {
        var module = server.replace('-', '_');
        var origin =
                new ToolOrigin(
                        server,
                        module,
                        function,
                        script,
                        name,
                        "ab".repeat(32),
                        ToolEffect.READ,
                        true);
        var spec =
                ToolSpec.named(module + "__" + function, name, description)
                        .taking(Json.object().put("type", "object"))
                        .hinted(ToolSpec.Hints.READS)
                        .from(origin)
                        .build();
        return new Tool() {
            @Override
            public ToolSpec spec() {
                return spec;
            }

            @Override
            public ToolResult call(Call call, ObjectNode arguments) {
                return ToolResult.text(name);
            }
        };
    }

    private JsonNode run(ObjectNode arguments) throws Exception {
        return report(tools.call("sandbox_execute", Json.text(arguments)));
    }

    private String said(String language, String code) throws Exception {
        var report = run(Json.object().put("language", language).put("code", code));
        assertThat(report.get("stderr").stringValue()).isEmpty();
        return report.get("stdout").stringValue();
    }

    @Override
    protected NestSettings.Maker runtime() {
        return NestSettings.Maker.BUBBLEWRAP;
    }

    @Test
    void python_imports_modules_and_functions() throws Exception {
        assertThat(
                        said(
                                "python",
                                """
                                import servers.hub
                                from servers.hub import add
                                from servers import odd, fuzz, caisson as own
                                import caisson.servers.odd
                                print(servers.hub.add(a=1, b=2), add({"a": 1, "b": 1}), add.__doc__)
                                print(odd.class_(), odd.get_item(), odd.get_item_2f(), repr(odd.class_.__doc__))
                                print(caisson.servers.odd.class_(), len(fuzz.__all__), fuzz.f59())
                                print(len(own.list_runners()) > 0, "sandbox_execute" in own.__all__)
                                """))
                .isEqualTo(
                        """
                        {'sum': 3} {'sum': 2} Does it.
                        class get-item get_item 'Says "hello" \\\\'
                        class 60 f59
                        True False
                        """);
    }

    @Test
    void what_the_workspace_calls_servers_is_there_too() throws Exception {
        assertThat(
                        said(
                                "python",
                                """
                                import os
                                os.makedirs("servers/mine")
                                open("servers/mine/__init__.py", "w").write("name = 'mine'")
                                import servers.mine, servers.hub
                                print(servers.mine.name, servers.hub.add(a=1, b=1))
                                """))
                .isEqualTo("mine {'sum': 2}\n");
    }

    @Test
    void stubs_are_python_and_nothing_can_be_written() throws Exception {
        assertThat(
                        said(
                                "python",
                                """
                                import ast, glob, os
                                files = glob.glob("/run/job/servers/*/__init__.pyi")
                                for file in files:
                                    ast.parse(open(file).read())
                                print(len(files))
                                for name in ("hub/__init__.py", "new", "package.json"):
                                    try:
                                        open("/run/job/servers/" + name, "w")
                                    except OSError as refused:
                                        print(refused.strerror)
                                try:
                                    os.remove("/run/job/servers/hub/index.js")
                                except OSError as refused:
                                    print(refused.strerror)
                                """))
                .isEqualTo("5\n" + "Read-only file system\n".repeat(4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "typescript"})
    void modules_of_node_import_them(String language) throws Exception {
        assertThat(
                        said(
                                language,
                                """
                                import * as hub from './servers/hub/index.js'
                                import { class_, getItem, getItem2f } from './servers/odd/index.js'
                                import * as fuzz from './servers/fuzz/index.js'
                                import { listRunners } from './servers/caisson/index.js'
                                console.log(await hub.add({ a: 1, b: 2 }), hub.add.description)
                                console.log(await class_(), await getItem(), await getItem2f())
                                console.log(Object.keys(fuzz).length, (await listRunners()) !== undefined)
                                """))
                .isEqualTo("{ sum: 3 } Does it.\nclass get-item get_item\n60 true\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "typescript"})
    void programs_in_the_older_form_import_them(String language) throws Exception {
        assertThat(
                        said(
                                language,
                                """
                                const path = require('path')
                                import('./servers/hub/index.js').then(async (hub) => console.log(path.sep, await hub.add({ a: 1, b: 1 })))
                                """))
                .isEqualTo("/ { sum: 2 }\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "typescript"})
    void programs_in_the_older_form_require_them(String language) throws Exception {
        assertThat(
                        said(
                                language,
                                """
                                const hub = require('./servers/hub/index.js')
                                hub.add({ a: 1, b: 1 }).then((data) => console.log(data))
                                """))
                .isEqualTo("{ sum: 2 }\n");
    }

    @Test
    void a_module_of_the_workspace_imports_them_from_where_it_is() throws Exception {
        assertThat(
                        said(
                                "node",
                                """
                                import { mkdirSync, writeFileSync } from 'node:fs'
                                mkdirSync('lib/servers/mine', { recursive: true })
                                mkdirSync('servers/mine', { recursive: true })
                                writeFileSync('servers/mine/index.mjs', 'export const name = "mine"')
                                writeFileSync('lib/a.mjs', `import * as hub from '../servers/hub/index.js'
                                import { name } from '../servers/mine/index.mjs'
                                export const sum = async () => [name, await hub.add({ a: 2, b: 2 })]`)
                                const { sum } = await import('./lib/a.mjs')
                                console.log(await sum())
                                """))
                .isEqualTo("[ 'mine', { sum: 4 } ]\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "typescript"})
    void cells_of_a_session_import_them(String language) throws Exception {
        var cell =
                Json.object()
                        .put("language", language)
                        .put("session", true)
                        .put("thread_id", "cells-" + language);
        var first =
                run(
                        cell.deepCopy()
                                .put(
                                        "code",
                                        "import * as hub from './servers/hub/index.js'\nconsole.log(await hub.add({ a: 1, b: 1 }))"));
        var second =
                run(
                        cell.deepCopy()
                                .put(
                                        "code",
                                        "const { getItem } = await import('./servers/odd/index.js')\nconsole.log(await getItem())"));
        assertThat(first.get("output").stringValue()).isEqualTo("{ sum: 2 }\n");
        assertThat(second.get("output").stringValue()).isEqualTo("get-item\n");
    }

    @Test
    void a_session_of_python_imports_in_every_cell() throws Exception {
        var cell = Json.object().put("session", true).put("thread_id", "python-cells");
        run(cell.deepCopy().put("code", "from servers.hub import add"));
        var second =
                run(
                        cell.deepCopy()
                                .put(
                                        "code",
                                        "from servers import odd\nprint(add(a=1, b=1), odd.get_item())"));
        assertThat(second.get("output").stringValue()).isEqualTo("{'sum': 2} get-item\n");
    }

    @Test
    void tools_are_found_and_described_from_inside() throws Exception {
        assertThat(
                        said(
                                "python",
                                """
                                import caisson
                                print("hub.add" in str(caisson.search("add")))
                                print("add" in str(caisson.describe("hub.add")))
                                """))
                .isEqualTo("True\nTrue\n");
    }

    @Test
    void the_catalogue_of_node_knows_ids_and_names_of_servers() throws Exception {
        var output =
                said(
                        "node",
                        """
                        import { catalog } from 'caisson'
                        const [found] = await catalog.searchTools({ query: 'odd parts', serverId: 'dashed-one', detail: 'name+description' })
                        console.log(found.serverId, found.toolName, found.tool, found.description, found.signature)
                        const [named] = await catalog.searchTools({ query: 'odd parts', detail: 'name' })
                        console.log(named.serverId, named.toolName, named.description)
                        const made = await catalog.getToolDefinition(found)
                        console.log(made.name, made.serverId, made.inputSchema.type, made.annotations.readOnlyHint)
                        const dashed = await catalog.getToolDefinition({ serverId: 'odd', name: 'get-item' })
                        const plain = await catalog.getToolDefinition({ serverId: 'odd', name: 'get_item' })
                        console.log(dashed.description, plain.description)
                        const own = await catalog.getToolDefinition({ serverId: 'caisson', name: 'files_list' })
                        console.log(own.inputSchema.required.join(), own.outputSchema.type)
                        for (const name of ['none', 'makeIt']) {
                          await catalog.getToolDefinition({ serverId: 'dashed-one', name }).catch((e) => console.log(e.name, e.type))
                        }
                        """);
        assertThat(output)
                .isEqualTo(
                        """
                        dashed-one make.it dashed_one.make_it Makes it of odd parts. undefined
                        dashed-one make.it undefined
                        make.it dashed-one object true
                        Gets. Gets, too.
                        source,id object
                        ToolError UnknownTool
                        ToolError UnknownTool
                        """);
    }

    /// What a door is made of: an address, a variable, a mount, files on the host.
    @Test
    void a_run_without_grants_pays_for_no_door() throws Exception {
        var program =
                """
                import os
                result = [os.path.exists("/run/job/door"), "CAISSON_DOOR" in os.environ,
                    os.path.exists("/run/job/servers"), len(open("/proc/self/mountinfo").readlines())]
                """;
        var alone = bench(Files.createDirectory(data.resolve("alone")), SessionLimits.DEFAULT);
        var plain = report(alone.call("sandbox_execute", code(program)));
        var none = plain.path("result").path("data");
        assertThat(none.get(0).booleanValue()).isFalse();
        assertThat(none.get(1).booleanValue()).isFalse();
        assertThat(plain.path("tools").isObject()).isFalse();
        assertThat(data.resolve("alone/wrappers")).doesNotExist();
        var granted =
                run(Json.object().put("code", program).put("language", "python"))
                        .path("result")
                        .path("data");
        assertThat(granted.get(0).booleanValue()).isTrue();
        assertThat(granted.get(2).booleanValue()).isTrue();
        assertThat(granted.get(3).intValue())
                .as("the files are one mount more")
                .isEqualTo(none.get(3).intValue() + 1);
        alone.sessions.close();
    }

    private static String code(String program) {
        return Json.text(Json.object().put("code", program).put("language", "python"));
    }

    @Test
    void a_run_without_tools_has_no_files() throws Exception {
        var none =
                Json.object()
                        .put("code", "import os; print(os.path.exists('/run/job/servers/hub'))");
        none.putArray("tools");
        assertThat(run(none).get("stdout").stringValue()).isEqualTo("False\n");
    }
}
