"""scripts/test itself: its last line and exit status for everything that a build or a run of tests can come to.

    /usr/bin/python3 -m unittest -v scripts/tests/runner_test.py

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


class RunnerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tributary-runner-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve() / "clone"
        (self.root / "scripts/support").mkdir(parents=True)
        shutil.copy(SCRIPTS / "test", self.root / "scripts/test")
        shutil.copy(SCRIPTS / "support/tally.py", self.root / "scripts/support/tally.py")
        self.program(self.root / "scripts/bootstrap", "exit 0")
        self.program(self.root / "scripts/bom", "exit 0")
        self.program(self.root / "bin/swift", SWIFT)
        self.reports = self.root / "reports"
        self.reports.mkdir()
        self.report_build()
        self.report_fuzzer("")
        self.report_tests()

    def program(self, path, body):
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/usr/bin/env bash\n{body}\n")
        path.chmod(0o755)

    def report_build(self, output="Build complete!\n", status=0):
        (self.reports / "build.txt").write_text(output)
        (self.reports / "build.status").write_text(str(status))

    def report_fuzzer(self, errors):
        (self.reports / "fuzzer.txt").write_text(errors)

    def report_tests(self, output="", events=None, status=0):
        (self.reports / "test.txt").write_text(output)
        (self.reports / "test.status").write_text(str(status))
        if events is None:
            lines = (RECORDED / "mixed.jsonl").read_text().splitlines(keepends=True)
            events = "".join(line for line in lines if "passes()" in line or "runEnded" in line)
        (self.reports / "events.jsonl").write_text(events)

    def start(self, *arguments, cluster=""):
        environment = os.environ | {
            "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", "REPORTS": str(self.reports),
            "TRIBUTARY_CLUSTER": cluster}
        return subprocess.Popen(
            [str(self.root / "scripts/test"), *arguments],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run_script(self, *arguments, **options):
        process = self.start(*arguments, **options)
        output, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, output

    def assertEnd(self, run, status, last):
        code, output = run
        self.assertEqual((code, output.splitlines()[-1]), (status, last), output)

    def test_passing_run(self):
        self.assertEnd(self.run_script("--only", "root"), 0, "tests: 1 passed, 0 failed, 0 skipped")

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

    def test_parts_are_added_up(self):
        self.assertEnd(self.run_script("--only", "root,workspace"), 0, "tests: 2 passed, 0 failed, 0 skipped")

    def test_a_package_without_a_licence_or_a_notice_is_a_failure(self):
        self.program(self.root / "scripts/bom", "echo found; exit 1")
        self.assertEnd(self.run_script("--only", "root"), 0, "tests: 1 passed, 0 failed, 0 skipped")
        run = self.run_script("--only", "workspace")
        self.assertEnd(run, 1, "tests: 1 passed, 1 failed, 0 skipped")
        self.assertIn("| found", run[1])

    def test_product_fails_with_any_of_its_checks(self):
        checks = ["api", "check-docs", "test-consumer", "check-apple"]
        for check in checks:
            self.program(self.root / "scripts" / check, "exit 0")
        self.assertEnd(self.run_script("--only", "product"), 0, "tests: 1 passed, 0 failed, 0 skipped")
        for check in checks:
            self.program(self.root / "scripts" / check, "echo found; exit 1")
            run = self.run_script("--only", "product")
            self.assertEnd(run, 1, "tests: 1 passed, 1 failed, 0 skipped")
            self.assertIn("| found", run[1])
            self.program(self.root / "scripts" / check, "exit 0")

    def test_crash_test_counts_its_seven_runs(self):
        for name in ("crash-test", "server-crash-test", "operator-test", "power-test", "fault-sweep"):
            self.program(self.root / "scripts" / name, f"echo {name}: $*")
        # Only Linux has the recorder.
        self.program(self.root / "bin/uname", "echo Linux")
        run = self.run_script("--only", "crash")
        self.assertEnd(run, 0, "tests: 7 passed, 0 failed, 0 skipped")
        self.assertIn("operator-test: --steps", run[1])
        self.assertIn("power-test: --states", run[1])
        self.assertIn("fault-sweep: --every", run[1])
        self.assertIn("crash-test: --self-test", run[1])
        self.assertIn("server-crash-test: --rounds", run[1])

    def test_failing_crash_test_fails_the_run(self):
        self.program(self.root / "scripts/crash-test", '[[ $1 == --self-test ]] || { echo "lost=1"; exit 1; }')
        for name in ("server-crash-test", "operator-test", "power-test", "fault-sweep"):
            self.program(self.root / "scripts" / name, "exit 0")
        self.program(self.root / "bin/uname", "echo Linux")
        run = self.run_script("--only", "crash")
        self.assertEnd(run, 1, "tests: 6 passed, 1 failed, 0 skipped")
        self.assertIn("| lost=1", run[1])

    def test_failing_tests_are_named(self):
        events = (RECORDED / "mixed.jsonl").read_text()
        self.report_tests((RECORDED / "mixed.txt").read_text(), events, status=1)
        run = self.run_script("--only", "root")
        self.assertEnd(run, 1, "tests: 5 passed, 5 failed, 7 skipped")
        self.assertIn("fails(): SampleTests/Sample.swift:11 Expectation failed: 1 == 2", run[1])
        self.assertIn("OldTests.testFails", run[1])

    def test_failed_test_fails_the_run_whatever_the_runner_says(self):
        self.report_tests(events=(RECORDED / "mixed.jsonl").read_text(), status=0)
        self.assertEnd(self.run_script("--only", "root"), 1, "tests: 4 passed, 4 failed, 6 skipped")

    def test_runner_that_died_fails_the_run(self):
        self.report_tests(events=(RECORDED / "crash.jsonl").read_text(), status=1)
        self.assertEnd(self.run_script("--only", "root"), 1, "tests: 0 passed, 11 failed, 3 skipped")

    def test_runner_that_fails_without_a_failed_test_counts_as_one(self):
        self.report_tests(status=1)
        self.assertEnd(self.run_script("--only", "root"), 1, "tests: 1 passed, 1 failed, 0 skipped")

    def test_runner_that_hangs_is_given_up_and_counts_as_one(self):
        self.program(self.root / "bin/timeout", "exit 124")
        run = self.run_script("--only", "root")
        self.assertEnd(run, 1, "tests: 0 passed, 1 failed, 0 skipped")
        self.assertIn("no end after 600 s", run[1])

    def test_runner_without_tests_counts_as_one(self):
        self.report_tests(events="")
        self.assertEnd(self.run_script("--only", "root"), 1, "tests: 0 passed, 1 failed, 0 skipped")

    def test_filter_that_finds_nothing_fails_the_run_at_its_end(self):
        self.report_tests(events="")
        self.assertEnd(
            self.run_script("--only", "root", "--filter", "Nothing"), 1, "tests: 0 passed, 1 failed, 0 skipped")
        self.assertIn("--filter Nothing", (self.reports / "arguments").read_text())

    def test_failing_build_counts_as_one_and_the_rest_goes_on(self):
        self.report_build("error: it does not compile\n", status=1)
        run = self.run_script("--only", "root,workspace")
        self.assertEnd(run, 1, "tests: 0 passed, 2 failed, 0 skipped")
        self.assertIn("error: it does not compile", run[1])

    def test_fuzzer_that_does_not_compile_counts_as_one(self):
        self.report_fuzzer("error: the fuzzer does not compile\n")
        run = self.run_script("--only", "root")
        self.assertEnd(run, 1, "tests: 1 passed, 1 failed, 0 skipped")
        self.assertIn("error: the fuzzer does not compile", run[1])

    def test_errors_of_the_compiler_are_shown_wherever_they_stand(self):
        error = f"{self.root}/Sources/App/App.swift:3:9: error: cannot find 'x' in scope\n"
        quoted = "  |         `- error: cannot find 'x' in scope\n"
        self.report_build((error + quoted) * 2 + "[1/2] Compiling App\n" * 60, status=1)
        _, output = self.run_script("--only", "root")
        self.assertEqual(output.count("   - Sources/App/App.swift:3:9: error: cannot find 'x' in scope\n"), 1)
        self.assertNotIn("`- error", output)

    def test_build_that_fails_without_an_error_shows_its_end(self):
        self.report_build("the linker was killed\n", status=1)
        self.assertIn("   | the linker was killed", self.run_script("--only", "root")[1])

    def test_warning_in_an_own_file_fails_the_run_and_comes_again(self):
        source = self.root / "Sources/App/App.swift"
        source.parent.mkdir(parents=True)
        source.touch()
        os.utime(source, (1, 1))
        self.report_build((RECORDED / "build.txt").read_text().replace("/clone/", f"{self.root}/"))
        run = self.run_script("--only", "root")
        self.assertEnd(run, 1, "tests: 1 passed, 1 failed, 0 skipped")
        self.assertIn("Sources/App/App.swift:6:5: warning: 'gone()' is deprecated", run[1])
        self.assertGreater(source.stat().st_mtime, 1)
        self.assertFalse((self.root / "dep/Sources/Dep/Dep.swift").exists())

    def test_warning_in_a_dependency_does_not(self):
        self.report_build("/elsewhere/Sources/Dep/Dep.swift:1:25: warning: not ours\n")
        self.assertEnd(self.run_script("--only", "root"), 0, "tests: 1 passed, 0 failed, 0 skipped")

    def test_failing_bootstrap_ends_the_run(self):
        self.program(self.root / "scripts/bootstrap", "echo 'bootstrap: nothing here' >&2\nexit 1")
        run = self.run_script()
        self.assertEnd(run, 1, "tests: 0 passed, 1 failed, 0 skipped")
        self.assertIn("bootstrap: nothing here", run[1])

    def test_benchmarks_that_run_count_as_one(self):
        self.program(self.root / "scripts/bench", 'echo "$*" >"$REPORTS/arguments"')
        self.assertEnd(self.run_script("--only", "benchmarks"), 0, "tests: 1 passed, 0 failed, 0 skipped")
        self.assertIn("--smoke", (self.reports / "arguments").read_text())

    def test_benchmark_that_does_not_run_fails_the_run(self):
        self.program(self.root / "scripts/bench", "echo 'promise: speed met=no'\nexit 1")
        run = self.run_script("--only", "benchmarks")
        self.assertEnd(run, 1, "tests: 0 passed, 1 failed, 0 skipped")
        self.assertIn("promise: speed met=no", run[1])

    def test_a_cluster_is_tested_only_when_it_is_asked_for(self):
        run = self.run_script("--only", "root,cluster")
        self.assertEnd(run, 0, "tests: 1 passed, 0 failed, 1 skipped")
        self.assertIn("skipped: TRIBUTARY_CLUSTER is not set", run[1])
        self.program(self.root / "bin/pkg-config", "exit 1")
        run = self.run_script("--only", "root,cluster", cluster="1")
        self.assertEnd(run, 0, "tests: 1 passed, 0 failed, 1 skipped")
        self.assertIn("skipped: libnats-dev is not installed", run[1])

    def have_a_cluster(self, browser_test="    def test(self): pass"):
        """What the part of the cluster needs; the browser's packages are empty."""
        self.program(self.root / "bin/pkg-config", "exit 0")
        for name in ("chromium", "chromedriver"):
            self.program(self.root / "bin" / name, "exit 0")
        (self.root / "selenium.py").write_text("")
        tests = self.root / "Tests/Browser"
        tests.mkdir(parents=True, exist_ok=True)
        (tests / "cluster_test.py").write_text(f"import unittest\nclass One(unittest.TestCase):\n{browser_test}\n")

    def test_the_page_of_a_cluster_is_tested_where_a_browser_and_engines_are(self):
        self.program(self.root / "scripts/cluster-test", "exit 0")
        self.have_a_cluster()
        run = self.run_script("--only", "cluster", cluster="1")
        self.assertEnd(run, 0, "tests: 3 passed, 0 failed, 0 skipped")
        self.have_a_cluster("    def test(self): self.skipTest('nats-server not installed')")
        run = self.run_script("--only", "cluster", cluster="1")
        self.assertEnd(run, 0, "tests: 2 passed, 0 failed, 1 skipped")
        self.assertIn("skipped 'nats-server not installed'", run[1])
        self.have_a_cluster("    def test(self): self.fail('not shown')")
        run = self.run_script("--only", "cluster", cluster="1")
        self.assertEnd(run, 1, "tests: 2 passed, 1 failed, 0 skipped")
        (self.root / "selenium.py").write_text("raise ImportError")
        run = self.run_script("--only", "cluster", cluster="1")
        self.assertEnd(run, 0, "tests: 2 passed, 0 failed, 1 skipped")
        self.assertIn("skipped: python3-selenium is not installed", run[1])

    def test_a_cluster_is_tested_and_its_parts_are_killed(self):
        self.have_a_cluster()
        self.program(self.root / "scripts/cluster-test", 'echo "$TRIBUTARY_CLUSTER $*" >"$REPORTS/kills"')
        run = self.run_script("--only", "cluster", cluster="1")
        self.assertEnd(run, 0, "tests: 3 passed, 0 failed, 0 skipped")
        self.assertIn("ClusterTests", (self.reports / "arguments").read_text())
        self.assertIn("1 --minutes", (self.reports / "kills").read_text())
        self.program(self.root / "scripts/cluster-test", "echo 'cluster-test: skipped, not installed: java'")
        run = self.run_script("--only", "cluster", cluster="1")
        self.assertEnd(run, 0, "tests: 2 passed, 0 failed, 1 skipped")
        self.program(self.root / "scripts/cluster-test", "echo 'cluster-test: lost=1'; exit 1")
        run = self.run_script("--only", "cluster", cluster="1")
        self.assertEnd(run, 1, "tests: 2 passed, 1 failed, 0 skipped")

    def test_only_the_part_of_the_cluster_builds_it(self):
        self.program(self.root / "bin/swift", 'echo "${TRIBUTARY_CLUSTER-unset}" >>"$REPORTS/seen"\n' + SWIFT)
        self.run_script("--only", "workspace", cluster="1")
        self.assertEqual({"unset"}, set((self.reports / "seen").read_text().split()))

    def test_missing_parts_fail_the_checks(self):
        self.program(self.root / "scripts/format", "exit 0")
        self.program(self.root / "scripts/layers", "exit 0")
        tests = self.root / "scripts/tests"
        tests.mkdir()
        (tests / "one_test.py").write_text("import unittest\nclass One(unittest.TestCase):\n    def test(self): pass\n")
        run = self.run_script("--only", "checks")
        self.assertEnd(run, 1, "tests: 1 passed, 1 failed, 0 skipped")
        self.assertIn("missing: scripts/bench", run[1])

    def test_signal_ends_the_run_and_what_it_started(self):
        (self.reports / "hang").touch()
        process = self.start("--only", "root")
        self.addCleanup(process.stdout.close)
        while process.poll() is None and not (self.reports / "hangs").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=PATIENCE)
        self.assertEnd((process.returncode, output), 1, "tests: 0 passed, 1 failed, 0 skipped")

    def test_wrong_command_lines_are_refused(self):
        for arguments in (["--only"], ["--only", "nothing"], ["--only", ","], ["--filter"], ["--filter", ""], ["root"]):
            with self.subTest(arguments=arguments):
                code, output = self.run_script(*arguments)
                self.assertEqual(code, 64)
                self.assertNotIn("tests:", output)

    def test_help_is_help(self):
        code, output = self.run_script("--help")
        self.assertEqual(code, 0)
        self.assertIn("--only PART", output)
        self.assertNotIn("set -euo", output)


if __name__ == "__main__":
    unittest.main()
