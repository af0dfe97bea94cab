"""The client against a real server, whose address and key are in CAISSON_URL and CAISSON_KEY."""

import threading
import unittest
import uuid

import caisson
from caisson import Caisson, Finished, Output, Started


def fresh() -> str:
    return f"python-{uuid.uuid4().hex}"


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.client = Caisson()

    def test_a_result_has_both_streams_value_and_end(self):
        result = self.client.run(
            "import sys\nprint('out')\nprint('err', file=sys.stderr)\nresult = [1]\nsys.exit(3)"
        )
        self.assertEqual(("failed", 3), (result.status, result.exit_code))
        self.assertEqual(("out\n", "err\n"), (result.stdout, result.stderr))
        self.assertFalse(result.ok)
        self.assertEqual(result.execution_id, result.raw["execution_id"])
        with self.assertRaises(caisson.RunFailed) as failed:
            result.check()
        self.assertIs(result, failed.exception.result)

    def test_every_language_runs(self):
        programs = {
            "python": "print(42)",
            "node": "console.log(42)",
            "typescript": "const answer: number = 42; console.log(answer)",
            "bash": "echo 42",
        }
        for language, code in programs.items():
            self.assertEqual("42\n", self.client.run(code, language).check().stdout, language)

    def test_a_stream_yields_output_before_the_program_ends(self):
        thread = self.client.thread(fresh())
        kinds = []
        # The program ends only after its first line was seen here.
        code = "import os, time\nprint('first', flush=True)\nwhile not os.path.exists('go'): time.sleep(.01)"
        for event in thread.stream(code, timeout=60):
            kinds.append(type(event))
            if isinstance(event, Output):
                self.assertEqual("first\n", event.text)
                thread.files.write("go", b"")
        self.assertEqual([Started, Output], kinds[:2])
        self.assertIs(Finished, kinds[-1])
        self.assertIsInstance(event, Finished)
        self.assertTrue(event.result.ok)
        thread.delete()

    def test_a_reader_who_leaves_ends_the_program(self):
        stream = self.client.stream("import time\nprint('on', flush=True)\ntime.sleep(600)", timeout=700)
        started = next(stream)
        next(stream)
        stream.close()
        self.assertEqual("cancelled", self.client.execution(started.execution_id).wait(60).status)

    def test_files_of_a_thread(self):
        thread = self.client.thread(f"{fresh()}/of a thread?")
        blob = bytes(range(256)) * 5000
        thread.files.write("in/blob", blob)
        self.assertEqual(blob, thread.files.read("in/blob"))
        result = thread.run("open('out.txt', 'w').write('kept')").check()
        self.assertIn("out.txt", [file.path for file in result.files])
        self.assertEqual({"in/blob", "out.txt"}, {file.path for file in thread.files.list()})
        self.assertEqual(["in/blob"], [file.path for file in thread.files.list("in")])
        self.assertIn(thread.id, [one.id for one in self.client.threads()])
        thread.files.delete("in", recursive=True)
        self.assertEqual(["out.txt"], [file.path for file in thread.files.list()])
        with self.assertRaises(caisson.NotFound):
            thread.files.read("in/blob")
        thread.delete()
        self.assertNotIn(thread.id, [one.id for one in self.client.threads()])

    def test_a_session_keeps_variables_until_it_is_restarted(self):
        session = self.client.thread(fresh()).session()
        session.run("x = 41").check()
        self.assertEqual("42\n", session.run("print(x + 1)").stdout)
        self.assertEqual("False\n", session.restart("print('x' in globals())").stdout)

    def test_a_session_is_listed_until_it_is_ended(self):
        thread = self.client.thread(fresh())
        thread.session().run("x = 1").check()
        self.assertIn(thread.id, [one["thread_id"] for one in self.client.sessions()])
        thread.session().end()
        self.assertNotIn(thread.id, [one["thread_id"] for one in self.client.sessions()])
        thread.delete()

    def test_a_run_in_the_background_is_followed_found_and_cancelled(self):
        execution = self.client.start("print('begun', flush=True)\nimport time\ntime.sleep(600)", timeout=700)
        self.assertTrue(execution.result().running)
        with self.assertRaises(TimeoutError):
            execution.wait(timeout=0.2)
        seen = threading.Event()

        def follow():
            for event in self.client.execution(execution.id).output():
                if isinstance(event, Output) and event.text == "begun\n":
                    seen.set()

        reader = threading.Thread(target=follow)
        reader.start()
        self.assertTrue(seen.wait(60))
        running = self.client.executions(status="running")
        self.assertIn(execution.id, [one["execution_id"] for one in running])
        execution.cancel()
        self.assertEqual("cancelled", execution.wait(60).status)
        reader.join(60)
        self.assertFalse(reader.is_alive())

    def test_the_same_idempotency_key_runs_once(self):
        code = "import uuid\nprint(uuid.uuid4())"
        key = fresh()
        first = self.client.run(code, idempotency_key=key)
        self.assertEqual(first.stdout, self.client.run(code, idempotency_key=key).stdout)
        with self.assertRaises(caisson.InvalidRequest):
            self.client.run("print(1)", idempotency_key=key)

    def test_a_busy_thread_is_a_conflict_that_names_its_execution(self):
        thread = self.client.thread(fresh())
        execution = thread.start("import time\ntime.sleep(600)", timeout=700)
        with self.assertRaises(caisson.Conflict) as refused:
            thread.run("print(1)")
        self.assertTrue(refused.exception.retryable)
        self.assertEqual(execution.id, refused.exception.execution_id)
        execution.cancel()

    def test_refusals_are_typed_and_say_why(self):
        with self.assertRaises(caisson.InvalidRequest) as wrong:
            self.client.run("print(1)", timeout=10**6)
        self.assertIn("timeout", str(wrong.exception))
        self.assertFalse(wrong.exception.retryable)
        with self.assertRaises(caisson.Unauthorized) as stranger:
            Caisson(key="ck_nobody").whoami()
        self.assertIn("key", str(stranger.exception))
        with self.assertRaises(caisson.Unreachable):
            Caisson("http://127.0.0.1:1").whoami()
        with self.assertRaises(caisson.NotFound):
            self.client.execution("exe_none").result()

    def test_the_server_says_what_it_has(self):
        self.assertIn("run", self.client.whoami()["scopes"])
        self.assertIn("python", [one["language"] for one in self.client.runners()["languages"]])


if __name__ == "__main__":
    unittest.main()
