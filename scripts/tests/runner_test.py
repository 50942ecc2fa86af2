"""scripts/test itself: its last line and exit status for everything that a build or a run of tests can come to.

It runs in a folder of its own with a `swift` that writes recorded reports.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
RECORDED = Path(__file__).resolve().parent / "recorded"
PATIENCE = 60  # seconds until a process that does not come to its end is a failure

SWIFT = """
case $1 in
build)
    case $* in
    *--target*) cat "$REPORTS/fuzzer.txt"; [[ ! -s $REPORTS/fuzzer.txt ]]; exit ;;
    esac
    cat "$REPORTS/build.txt"; exit "$(cat "$REPORTS/build.status")" ;;
test)
    echo "$*" >"$REPORTS/arguments"
    while (($# > 0)); do
        if [[ $1 == --event-stream-output-path ]]; then cp "$REPORTS/events.jsonl" "$2"; fi
        shift
    done
    cat "$REPORTS/test.txt"
    if [[ -e $REPORTS/hang ]]; then : >"$REPORTS/hangs"; sleep 600; fi
    exit "$(cat "$REPORTS/test.status")"
    ;;
esac
"""
MIXED = (RECORDED / "mixed.jsonl").read_text()


class RunnerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-runner-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve() / "clone"
        (self.root / "scripts/support").mkdir(parents=True)
        shutil.copy(SCRIPTS / "test", self.root / "scripts/test")
        for name in ("tally.py", "lanes.py"):
            shutil.copy(SCRIPTS / "support" / name, self.root / "scripts/support" / name)
        self.programs("scripts/bootstrap", "scripts/bom")
        self.program("bin/swift", SWIFT)
        # A machine without the compiler of the page's check, whatever this one has.
        self.program("bin/node", "exit 1")
        self.reports = self.root / "reports"
        self.reports.mkdir()
        self.report_build()
        self.report_tests()
        (self.reports / "fuzzer.txt").touch()

    def program(self, name, body="exit 0"):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/usr/bin/env bash\n{body}\n")
        path.chmod(0o755)

    def programs(self, *names, body="exit 0"):
        for name in names:
            self.program(name, body)

    def report_build(self, output="Build complete!\n", status=0):
        (self.reports / "build.txt").write_text(output)
        (self.reports / "build.status").write_text(str(status))

    def report_tests(self, output="", events=None, status=0):
        (self.reports / "test.txt").write_text(output)
        (self.reports / "test.status").write_text(str(status))
        if events is None:
            events = "".join(line for line in MIXED.splitlines(keepends=True) if "passes()" in line or "runEnded" in line)
        (self.reports / "events.jsonl").write_text(events)

    def start(self, *arguments, cluster=""):
        environment = os.environ | {
            "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", "REPORTS": str(self.reports), "TRIBUTARY_CLUSTER": cluster,
            "TRIBUTARY_LIBRARIES": "/nowhere"}
        return subprocess.Popen(
            [str(self.root / "scripts/test"), *arguments],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run_script(self, *arguments, **options):
        process = self.start(*arguments, **options)
        output, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, output

    def assertEnd(self, run, passed, failed, skipped, *shown):
        """The last line has these numbers, the exit status is 0 only without a failure, and the output has these texts."""
        code, output = run
        last = f"tests: {passed} passed, {failed} failed, {skipped} skipped"
        self.assertEqual((code, output.splitlines()[-1]), (int(failed > 0), last), output)
        for text in shown:
            self.assertIn(text, output)

    def test_the_end_counts_the_tests_of_each_part(self):
        self.assertEnd(self.run_script("--only", "root"), 1, 0, 0)
        self.assertEnd(self.run_script("--only", "root,workspace"), 2, 0, 0)

    def test_every_end_of_a_run_of_tests_is_counted(self):
        output = (RECORDED / "mixed.txt").read_text()
        failures = ["fails(): SampleTests/Sample.swift:11 Expectation failed: 1 == 2", "OldTests.testFails"]
        for name, reports, numbers, shown in [
            ("failing tests are named", {"output": output, "events": MIXED, "status": 1}, (5, 5, 7), failures),
            ("a failed test counts, even if the runner succeeds", {"events": MIXED}, (4, 4, 6), []),
            ("a runner that fails without a failed test", {"status": 1}, (1, 1, 0), []),
        ]:
            with self.subTest(name):
                self.report_tests(**reports)
                self.assertEnd(self.run_script("--only", "root"), *numbers, *shown)

    def test_the_result_is_kept_with_the_commit_and_the_parts_for_a_release(self):
        git = ["git", "-C", str(self.root), "-c", "user.name=A", "-c", "user.email=a@example.com"]
        (self.root / ".gitignore").write_text(".build-*/\nreports/\n__pycache__/\n")
        for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "All"]):
            subprocess.run([*git, *command], check=True)
        head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
        result = self.root / ".build-logs/result"
        self.run_script("--only", "root")
        self.assertEqual(
            f"commit={head}\nparts=some: root \npassed=1\nfailed=0\nskipped=0\n", result.read_text())
        (self.root / "new").touch()
        self.run_script("--only", "root", "--filter", "One")
        self.assertIn(f"commit={head}-changed\nparts=some: root One\n", result.read_text())

    def test_a_part_without_a_test_fails_even_if_another_part_passes(self):
        self.report_tests(events="")
        self.program("scripts/bench")
        self.assertEnd(self.run_script("--only", "root,benchmarks"), 1, 1, 0, "no test ran")

    def test_a_filter_is_passed_on_and_fails_the_run_when_it_finds_nothing(self):
        self.report_tests(events="")
        self.assertEnd(self.run_script("--only", "root", "--filter", "Nothing"), 0, 1, 0)
        self.assertIn("--filter Nothing", (self.reports / "arguments").read_text())

    def test_a_runner_that_hangs_is_given_up(self):
        self.program("bin/timeout", "exit 124")
        self.assertEnd(self.run_script("--only", "root"), 0, 1, 0, "no end after 3600 s")

    def test_a_build_that_fails_counts_and_the_rest_goes_on(self):
        error = f"{self.root}/Sources/App/App.swift:3:9: error: cannot find 'x' in scope\n"
        quoted = "  |         `- error: cannot find 'x' in scope\n"
        self.report_build((error + quoted) * 2 + "[1/2] Compiling App\n" * 60, status=1)
        run = self.run_script("--only", "root,workspace")
        self.assertEnd(run, 0, 2, 0)
        # Each error once for each part, however far from the end.
        self.assertEqual(run[1].count("   - Sources/App/App.swift:3:9: error: cannot find 'x' in scope\n"), 2)
        self.assertNotIn("`- error", run[1])
        self.report_build("the linker was killed\n", status=1)
        self.assertEnd(self.run_script("--only", "root"), 0, 1, 0, "   | the linker was killed")

    def test_a_fuzzer_that_does_not_compile_counts(self):
        (self.reports / "fuzzer.txt").write_text("error: the fuzzer does not compile\n")
        self.assertEnd(self.run_script("--only", "root"), 1, 1, 0, "error: the fuzzer does not compile")

    def test_a_warning_in_an_own_file_fails_the_run_and_comes_again(self):
        self.report_build("/elsewhere/Sources/Dep/Dep.swift:1:25: warning: not ours\n")
        self.assertEnd(self.run_script("--only", "root"), 1, 0, 0)
        source = self.root / "Sources/App/App.swift"
        source.parent.mkdir(parents=True)
        source.touch()
        os.utime(source, (1, 1))
        self.report_build((RECORDED / "build.txt").read_text().replace("/clone/", f"{self.root}/"))
        run = self.run_script("--only", "root")
        self.assertEnd(run, 1, 1, 0, "Sources/App/App.swift:6:5: warning: 'gone()' is deprecated")
        self.assertGreater(source.stat().st_mtime, 1)

    def test_a_failing_bootstrap_ends_the_run(self):
        self.program("scripts/bootstrap", "echo 'bootstrap: nothing here' >&2\nexit 1")
        self.assertEnd(self.run_script(), 0, 1, 0, "bootstrap: nothing here")

    def test_a_package_without_a_licence_or_a_notice_fails_the_workspace(self):
        self.program("scripts/bom", "echo found; exit 1")
        self.assertEnd(self.run_script("--only", "workspace"), 1, 1, 0, "| found")

    def test_each_check_of_the_product_counts(self):
        checks = [f"scripts/{name}" for name in ("api", "check-docs", "site", "size", "test-consumer", "check-apple")]
        self.program("bin/uname", "echo Linux x86_64")
        self.programs(*checks)
        self.assertEnd(self.run_script("--only", "product"), 1, 0, 0)
        self.programs(*checks, body="echo found; exit 1")
        run = self.run_script("--only", "product")
        self.assertEnd(run, 1, len(checks), 0)
        self.assertEqual(run[1].count("| found"), len(checks))
        self.programs(*checks)
        self.program("scripts/size", "echo 'size: skipped: another compiler'")
        self.assertEnd(self.run_script("--only", "product"), 1, 0, 1, "size: skipped: another compiler")

    def test_each_run_of_the_crash_tests_counts(self):
        names = ("crash-test", "server-crash-test", "warehouse-test", "operator-test", "power-test", "fault-sweep")
        self.programs(*(f"scripts/{name}" for name in names), body='echo "${0##*/}: $*"')
        # Only Linux has the recorder.
        self.program("bin/uname", "echo Linux")
        self.assertEnd(
            self.run_script("--only", "crash"), 11, 0, 0, "operator-test: --steps", "power-test: --states", "fault-sweep: --every",
            "crash-test: --self-test", "server-crash-test: --rounds", "warehouse-test: --self-test",
            "warehouse-test: --self-test --database clickhouse", "warehouse-test: --self-test --minutes 0.2 --receiver function")
        self.program("scripts/crash-test", '[[ $1 == --self-test ]] || { echo "lost=1"; exit 1; }')
        self.assertEnd(self.run_script("--only", "crash"), 10, 1, 0, "| lost=1")

    def test_the_benchmarks_count_as_one(self):
        self.program("scripts/bench", 'echo "$*" >"$REPORTS/arguments"')
        self.assertEnd(self.run_script("--only", "benchmarks"), 1, 0, 0)
        self.assertIn("--smoke", (self.reports / "arguments").read_text())
        self.program("scripts/bench", "echo 'promise: speed met=no'\nexit 1")
        self.assertEnd(self.run_script("--only", "benchmarks"), 0, 1, 0, "promise: speed met=no")

    def test_each_file_of_the_tests_of_the_server_and_the_page_counts(self):
        self.programs("bin/node")
        server = "clients hostile workers operation countries damage errors golden guides init parquet plan_code schema objects mail warehouse kubernetes"
        browser = "frame page deployment console conditions board destinations sql access jobs web"
        for name in (*(f"Server/{name}" for name in server.split()), *(f"Browser/{name}" for name in browser.split())):
            file = self.root / f"Tests/{name}_test.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            body = "self.fail('not stored')" if name == "Server/damage" else "pass"
            file.write_text(f"import unittest\nclass One(unittest.TestCase):\n    def test_{file.stem}(self): {body}\n")
        # Newer versions of Python end with 5 when no test ran.
        (self.root / "Tests/Server/errors_test.py").write_text(
            "import os\nos.write(2, b'\\nRan 0 tests in 0.000s\\n\\nNO TESTS RAN\\n')\nos._exit(5)\n")
        self.assertEnd(
            self.run_script("--only", "server,browser"), 26, 2, 1, "test_damage", "| AssertionError: not stored",
            "Tests/Server/errors_test.py: no test ran", "skipped: the libraries")
        self.assertEnd(self.run_script("--only", "server,browser", "--filter", "test_page"), 1, 0, 1)

    def test_a_cluster_is_tested_only_where_it_is_asked_for_and_can_be_built(self):
        self.assertEnd(self.run_script("--only", "root,cluster"), 1, 0, 1, "skipped: TRIBUTARY_CLUSTER is not set")
        self.program("bin/pkg-config", "exit 1")
        self.assertEnd(self.run_script("--only", "root,cluster", cluster="1"), 1, 0, 1, "skipped: libnats-dev is not installed")

    def test_a_cluster_its_page_and_its_kills_count(self):
        kills, page = self.root / "scripts/cluster-test", self.root / "Tests/Browser/cluster_test.py"
        # The browser's packages are empty.
        self.programs("bin/pkg-config", "bin/chromium", "bin/chromedriver")
        (self.root / "selenium.py").touch()
        page.parent.mkdir(parents=True)
        for kill, test, numbers, shown in [
            ('echo "$TRIBUTARY_CLUSTER $*" >"$REPORTS/kills"', "pass", (3, 0, 0), ""),
            ("echo 'cluster-test: skipped, not installed: java'", "self.fail('not shown')", (1, 1, 1), "not shown"),
            ("echo lost=1; exit 1", "self.skipTest('no nats-server')", (1, 1, 1), "skipped 'no nats-server'"),
        ]:
            with self.subTest(kill):
                self.program(kills, kill)
                page.write_text(f"import unittest\nclass One(unittest.TestCase):\n    def test(self): {test}\n")
                self.assertEnd(self.run_script("--only", "cluster", cluster="1"), *numbers, shown)
        self.assertIn("ClusterTests", (self.reports / "arguments").read_text())
        self.assertIn("1 --minutes", (self.reports / "kills").read_text())
        (self.root / "selenium.py").write_text("raise ImportError")
        run = self.run_script("--only", "cluster", cluster="1")
        self.assertEnd(run, 1, 1, 1, "skipped: python3-selenium is not installed")

    def test_only_the_part_of_the_cluster_builds_it(self):
        self.program("bin/swift", 'echo "${TRIBUTARY_CLUSTER-unset}" >>"$REPORTS/seen"\n' + SWIFT)
        self.run_script("--only", "workspace", cluster="1")
        self.assertEqual({"unset"}, set((self.reports / "seen").read_text().split()))

    def test_missing_parts_fail_the_checks(self):
        self.programs("scripts/format", "scripts/layers")
        tests = self.root / "scripts/tests"
        tests.mkdir()
        (tests / "one_test.py").write_text("import unittest\nclass One(unittest.TestCase):\n    def test(self): pass\n")
        self.assertEnd(self.run_script("--only", "checks"), 1, 1, 1, "missing: scripts/bench")

    def test_a_signal_ends_the_run_and_its_processes(self):
        (self.reports / "hang").touch()
        process = self.start("--only", "root")
        self.addCleanup(process.stdout.close)
        while process.poll() is None and not (self.reports / "hangs").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=PATIENCE)
        self.assertEnd((process.returncode, output), 0, 1, 0)

    def test_command_lines_are_read(self):
        for arguments in (["--only"], ["--only", "nothing"], ["--only", ","], ["--filter"], ["--filter", ""], ["root"]):
            with self.subTest(arguments=arguments):
                code, output = self.run_script(*arguments)
                self.assertEqual(code, 64)
                self.assertNotIn("tests:", output)
        code, output = self.run_script("--help")
        self.assertEqual(code, 0)
        self.assertIn("--only PART", output)
