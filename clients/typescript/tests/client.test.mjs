/** The client against a real server, whose address and key are in CAISSON_URL and CAISSON_KEY. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import {
  Caisson,
  CaissonError,
  Conflict,
  InvalidRequest,
  NotFound,
  RunFailed,
  Unauthorized,
  Unreachable,
} from "caisson-client";

const client = new Caisson();
const fresh = () => `typescript-${randomUUID()}`;
const patience = () => AbortSignal.timeout(60_000);

async function all(items) {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
}

test("a result has both streams, value and end", async () => {
  const result = await client.run(
    "import sys\nprint('out')\nprint('err', file=sys.stderr)\nresult = [1]\nsys.exit(3)",
  );
  assert.deepEqual([result.status, result.exitCode], ["failed", 3]);
  assert.deepEqual([result.stdout, result.stderr], ["out\n", "err\n"]);
  assert.equal(result.executionId, result.raw.execution_id);
  assert.throws(
    () => result.check(),
    (error) => error instanceof RunFailed && error instanceof CaissonError && error.result === result,
  );
  assert.deepEqual((await client.run("result = {'a': [1]}")).check().data, { a: [1] });
});

test("every language runs", async () => {
  const programs = {
    python: "print(42)",
    node: "console.log(42)",
    typescript: "const answer: number = 42; console.log(answer)",
    bash: "echo 42",
  };
  for (const [language, code] of Object.entries(programs)) {
    assert.equal((await client.run(code, { language })).check().stdout, "42\n", language);
  }
});

test("a stream yields output before the program ends", async () => {
  const thread = client.thread(fresh());
  const types = [];
  // The program ends only after its first line was seen here.
  const code =
    "import os, time\nprint('first', flush=True)\nwhile not os.path.exists('go'): time.sleep(.01)";
  for await (const event of thread.stream(code, { timeout: 60 })) {
    types.push(event.type);
    if (event.type === "stdout") {
      assert.equal(event.text, "first\n");
      await thread.files.write("go", "");
    }
  }
  assert.deepEqual(types.slice(0, 2), ["started", "stdout"]);
  assert.equal(types.at(-1), "result");
  await thread.delete();
});

test("a reader who leaves ends the program", async () => {
  let id = "";
  const code = "import time\nprint('on', flush=True)\ntime.sleep(600)";
  for await (const event of client.stream(code, { timeout: 700 })) {
    if (event.type === "started") id = event.executionId;
    if (event.type === "stdout") break;
  }
  assert.equal((await client.execution(id).wait(patience())).status, "cancelled");
});

test("a signal ends a run", async () => {
  const abort = new AbortController();
  const events = client.stream("import time\ntime.sleep(600)", { timeout: 700, signal: abort.signal });
  const { value: started } = await events.next();
  abort.abort();
  await assert.rejects(events.next(), { name: "AbortError" });
  assert.equal((await client.execution(started.executionId).wait(patience())).status, "cancelled");
});

test("files of a thread", async () => {
  const thread = client.thread(`${fresh()}/of a thread?`);
  const blob = Uint8Array.from({ length: 1_000_000 }, (_, i) => i % 251);
  await thread.files.write("in/blob", blob);
  assert.deepEqual(await thread.files.read("in/blob"), blob);
  const result = (await thread.run("open('out.txt', 'w').write('kept')")).check();
  assert.ok(result.files.some((file) => file.path === "out.txt"));
  const paths = async (path) => (await all(thread.files.list(path))).map((file) => file.path).sort();
  assert.deepEqual(await paths(), ["in/blob", "out.txt"]);
  assert.deepEqual(await paths("in"), ["in/blob"]);
  assert.ok((await all(client.threads())).some((one) => one.id === thread.id));
  await thread.files.delete("in", true);
  assert.deepEqual(await paths(), ["out.txt"]);
  await assert.rejects(thread.files.read("in/blob"), NotFound);
  await thread.delete();
  assert.ok(!(await all(client.threads())).some((one) => one.id === thread.id));
});

test("a session keeps variables until it is restarted", async () => {
  const session = client.thread(fresh()).session();
  (await session.run("x = 41")).check();
  assert.equal((await session.run("print(x + 1)")).stdout, "42\n");
  assert.equal((await session.restart("print('x' in globals())")).stdout, "False\n");
});

test("a session is listed until it is ended", async () => {
  const thread = client.thread(fresh());
  (await thread.session().run("x = 1")).check();
  const threads = async () => (await client.sessions()).map((one) => one.thread_id);
  assert.ok((await threads()).includes(thread.id));
  await thread.session().end();
  assert.ok(!(await threads()).includes(thread.id));
  await thread.delete();
});

test("a run in the background is followed, found and cancelled", async () => {
  const execution = await client.start("print('begun', flush=True)\nimport time\ntime.sleep(600)", {
    timeout: 700,
  });
  assert.ok((await execution.result()).running);
  await assert.rejects(execution.wait(AbortSignal.timeout(200)), { name: "TimeoutError" });
  let ended = false;
  for await (const event of client.execution(execution.id).output()) {
    if (event.type === "stdout") {
      assert.equal(event.text, "begun\n");
      const running = await all(client.executions({ status: "running" }));
      assert.ok(running.some((one) => one.execution_id === execution.id));
      await execution.cancel();
      ended = true;
    }
  }
  assert.ok(ended);
  assert.equal((await execution.wait(patience())).status, "cancelled");
});

test("the same idempotency key runs once", async () => {
  const code = "import uuid\nprint(uuid.uuid4())";
  const idempotencyKey = fresh();
  const first = await client.run(code, { idempotencyKey });
  assert.equal((await client.run(code, { idempotencyKey })).stdout, first.stdout);
  await assert.rejects(client.run("print(1)", { idempotencyKey }), InvalidRequest);
});

test("a busy thread is a conflict that names its execution", async () => {
  const thread = client.thread(fresh());
  const execution = await thread.start("import time\ntime.sleep(600)", { timeout: 700 });
  await assert.rejects(thread.run("print(1)"), (error) => {
    assert.ok(error instanceof Conflict);
    assert.ok(error.retryable);
    assert.equal(error.executionId, execution.id);
    return true;
  });
  await execution.cancel();
});

test("refusals are typed and say why", async () => {
  await assert.rejects(client.run("print(1)", { timeout: 1e6 }), (error) => {
    assert.ok(error instanceof InvalidRequest);
    assert.match(error.message, /timeout/);
    assert.equal(error.retryable, false);
    return true;
  });
  await assert.rejects(new Caisson({ key: "ck_nobody" }).whoami(), Unauthorized);
  await assert.rejects(new Caisson({ url: "http://127.0.0.1:1" }).whoami(), Unreachable);
  await assert.rejects(client.execution("exe_none").result(), NotFound);
});

test("the server says what it has", async () => {
  assert.ok((await client.whoami()).scopes.includes("run"));
  assert.ok((await client.runners()).languages.some((one) => one.language === "python"));
});
