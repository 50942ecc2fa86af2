import Foundation
import Testing
import TributaryJSON

@testable import TributaryCommand
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("tributary init", .timeLimit(.minutes(30))) struct SetupTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var config: String { folder.path + "/server.json" }
    private var token: String { folder.path + "/admin-token" }
    private var data: String { folder.path + "/data" }

    private func run(_ options: [String]) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(["init", "--config", config, "--data", data] + options, token: nil)
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    private func document() throws -> JSON { try JSON.parse(String(contentsOfFile: config, encoding: .utf8)) }

    /// Starts a workspace with the written file, on a port of the system's choice, and stores and lists an event.
    /// - Parameter authority: the certificate that clients have to trust.
    private func storesAnEvent(_ authority: String? = nil) async throws {
        let key = try #require(try document()["write-key"]?[0]?.stringValue)
        let events = folder.path + "/events.ndjson"
        try Events.track(messageId: "first").description.write(toFile: events, atomically: true, encoding: .utf8)
        let server = try CommandRun(["serve", "--config", config], token: nil, environment: ["TRIBUTARY_PORT": "0"])
        let url = await server.line(after: "tributary: listening on ") ?? ""
        let access = ["--server", url] + (authority.map { ["--certificate-authority", $0] } ?? [])
        let sent = try await CommandRun.finish(["import", events, "--write-key", key] + access, token: nil)
        let listed = try await CommandRun.finish(["events", "--json", "--token-file", token] + access, token: nil)
        server.signal(SIGTERM)
        let outcome = try await server.finished()
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(listed.output.contains(#""messageId":"first""#), "\(listed.output)\(listed.errors)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        // The token is that of the file, so the start makes and shows none.
        #expect(!outcome.output.contains("admin token"))
    }

    @Test("With --yes it writes a configuration that `serve` starts with, and a token that works")
    func usual() async throws {
        let outcome = try await run(["--yes"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let document = try document()
        #expect(document["host"] == "127.0.0.1")
        #expect(document["port"] == 8484)
        #expect(document["data"] == .string(data))
        #expect(document["retain-days"] == 90)
        #expect(document["admin-token-file"] == .string(token))
        for file in [config, token] { #expect(try mode(file) == 0o600, "\(file)") }
        #expect(!FileManager.default.fileExists(atPath: data))
        let key = try #require(document["write-key"]?[0]?.stringValue)
        #expect(key.count == 32)
        for line in [
            "wrote \(config) and \(token); only you can read them\n", "tributary serve --config \(config)\n",
            "curl --user \(key): http://127.0.0.1:8484/v1/track --json '{\"userId\": \"u-1\", \"event\": \"Hello\"}'\n",
            "tributary events --server http://127.0.0.1:8484 --token-file \(token)\n",
            "Configuration(writeKey: \"\(key)\")\n", ".apiHost(\"http://127.0.0.1:8484/v1\")\n",
        ] { #expect(outcome.output.contains(line), "\(line)\n\(outcome.output)") }
        let secret = try String(contentsOfFile: token, encoding: .utf8)
        #expect(secret.count == 65)
        #expect(!outcome.output.contains(secret.dropLast()))
        try await storesAnEvent()
    }

    @Test("The options are those of the configuration, and two runs make other keys and tokens")
    func options() async throws {
        let first = try await run(["--yes", "--host", "localhost", "--port", "8500", "--retain-days", "0"])
        #expect(first.status == 0)
        let (document, secret) = (try document(), try String(contentsOfFile: token, encoding: .utf8))
        #expect(document["host"] == "localhost")
        #expect(document["port"] == 8500)
        #expect(document["retain-days"] == 0)
        #expect(first.output.contains("http://localhost:8500/v1/track"))
        #expect(try await run(["--yes", "--overwrite"]).status == 0)
        #expect(try self.document()["write-key"] != document["write-key"])
        #expect(try String(contentsOfFile: token, encoding: .utf8) != secret)
        try await storesAnEvent()
    }

    @Test("With a certificate for development, the lines name the certificate that `serve` makes")
    func development() async throws {
        let outcome = try await run(["--yes", "--https", "development"])
        let certificate = data + "/development-certificate.pem"
        #expect(outcome.output.contains("curl --cacert \(certificate) --user "), "\(outcome.output)")
        #expect(outcome.output.contains("https://127.0.0.1:8484/v1/track"))
        #expect(outcome.output.contains("--certificate-authority \(certificate)\n"))
        #expect(try document()["tls-development"] == true)
        try await storesAnEvent(certificate)
    }

    @Test("An own certificate is checked before it is written")
    func certificate() async throws {
        let files = try DevelopmentCertificate.files(in: folder.path + "/certificates", hosts: [])
        let other = try DevelopmentCertificate.files(in: folder.path + "/others", hosts: [])
        for (certificate, key) in [
            (files.certificate, other.key), (files.certificate, folder.path + "/none"), (files.key, files.key),
        ] {
            let refused = try await run([
                "--yes", "--https", "certificate", "--tls-certificate", certificate, "--tls-key", key,
            ])
            #expect(refused.status == 1)
            #expect(refused.errors.contains("Error: "), "\(refused.errors)")
        }
        let incomplete = try await run(["--yes", "--https", "certificate"])
        #expect(incomplete.errors.hasSuffix("Error: --https certificate needs --tls-certificate and --tls-key\n"))
        #expect(!FileManager.default.fileExists(atPath: config))
        let outcome = try await run([
            "--yes", "--https", "certificate", "--tls-certificate", files.certificate, "--tls-key", files.key,
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        try await storesAnEvent(files.certificate)
    }

    @Test(
        "An option that cannot be used is refused with the reason, and nothing is written",
        arguments: [
            (["--port", "0"], "with 0, it would be another one at each start"),
            (["--port", "65536"], "--port is a number from 0 to 65535, not 65536"),
            (["--port", "http"], "--port is a number from 0 to 65535, not http"),
            (["--host", "192.0.2.1"], "192.0.2.1 is no address of this machine"),
            (["--host", "no such host"], "there is no host no such host"),
            (["--retain-days", "-1"], "Error: "), (["--retain-days=-1"], "--retain-days is a number from 0 to 36500"),
            (["--retain-days", "36501"], "--retain-days is a number from 0 to 36500, not 36501"),
            (["--https", "tls"], "Error: "), (["--tls-key", "k"], "go with --https certificate"),
            (["--data", "/dev/null/data"], "/dev/null is no folder"),
            (["--data", ""], "a path has at least one character"),
            (["--config", ""], "a file is named by an empty text"),
            (["--config", "/nowhere/server.json"], "there is no such folder"),
        ])
    func refused(options: [String], reason: String) async throws {
        let outcome = try await run(["--yes"] + options)
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(outcome.output == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("Files that are there stay unless the command line says otherwise")
    func existing() async throws {
        for file in [config, token] {
            try? FileManager.default.removeItem(atPath: config)
            try "mine".write(toFile: file, atomically: true, encoding: .utf8)
            let outcome = try await run(["--yes"])
            #expect(outcome.status == 1)
            #expect(
                outcome.errors.contains("there already, and nothing was written; add --overwrite"), "\(outcome.errors)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
        }
        #expect(!FileManager.default.fileExists(atPath: config))
        #expect(try await run(["--yes", "--overwrite"]).status == 0)
        #expect(try mode(token) == 0o600)
    }

    @Test("A port on which a program listens is taken with a note")
    func portInUse() async throws {
        let server = try CommandRun(["serve", "--port", "0", "--data", folder.path + "/other"])
        let url = await server.line(after: "tributary: listening on ") ?? ""
        let port = url.split(separator: ":").last.map(String.init) ?? ""
        let outcome = try await run(["--yes", "--port", port])
        server.signal(SIGTERM)
        _ = try await server.finished()
        #expect(outcome.status == 0)
        #expect(
            outcome.errors == "note: a program listens on port \(port) of 127.0.0.1 now; `serve` needs the port free\n")
    }

    @Test("A dry run shows the files and the lines, makes no secret and writes nothing")
    func dryRun() async throws {
        let outcome = try await run(["--dry-run", "--port", "8500"])
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("would write \(config):\n{"), "\(outcome.output)")
        #expect(outcome.output.contains("would write \(token): a new admin token\n"))
        #expect(outcome.output.contains("curl --user WRITE-KEY: http://127.0.0.1:8500/v1/track"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("Without a terminal it asks nothing, and says how to go on")
    func noTerminal() async throws {
        let outcome = try await run([])
        #expect(outcome.status == 1)
        #expect(
            outcome.errors
                == "Error: nothing was written: there is no terminal to ask at; add --yes to take the options\n")
    }

    @Test("A folder with the data of a workspace keeps its token and its sources")
    func existingData() async throws {
        let server = try CommandRun(["serve", "--port", "0", "--data", data, "--write-key", "WK"])
        _ = try #require(await server.line(after: "tributary: listening on "))
        server.signal(SIGTERM)
        _ = try await server.finished()
        let outcome = try await run(["--yes"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("has the data of a workspace, which keeps its sources and its admin token"))
        let document = try document()
        #expect(document["write-key"] == nil)
        #expect(document["admin-token-file"] == nil)
        #expect(!FileManager.default.fileExists(atPath: token))
        let again = try CommandRun(["serve", "--config", config], token: nil, environment: ["TRIBUTARY_PORT": "0"])
        let url = try #require(await again.line(after: "tributary: listening on "))
        #expect(try await TestClient(url: url).get("/api/sources").json["sources"]?.elements?.count == 1)
        again.signal(SIGTERM)
        _ = try await again.finished()
    }

    /// Answers the questions in their order, and keeps them.
    private final class Person {
        private(set) var questions: [String] = []
        private var answers: [String]

        init(_ answers: [String]) { self.answers = answers }

        func answer(_ question: String) -> String? {
            questions.append(question)
            return answers.isEmpty ? nil : answers.removeFirst()
        }
    }

    private func ask(_ answers: [String], data: String? = nil) async throws -> (Setup, questions: [String]) {
        let person = Person(answers)
        let setup = try await SetupWizard(ask: person.answer).setup(
            data: data, host: nil, port: nil, https: nil, certificate: nil, key: nil, retainDays: nil)
        return (setup, person.questions)
    }

    @Test("Empty answers are the usual values, and an option is not asked for")
    func emptyAnswers() async throws {
        let (setup, questions) = try await ask(["", " ", "", ""], data: data)
        #expect(
            setup
                == Setup(data: data, host: "127.0.0.1", port: 8484, encryption: .none, retainDays: 90))
        #expect(questions.count == 4)
        #expect(questions.first?.hasSuffix("[127.0.0.1]") == true)
    }

    @Test("A bad answer is asked for again, until it can be used")
    func badAnswers() async throws {
        let files = try DevelopmentCertificate.files(in: folder.path + "/certificates", hosts: [])
        let (setup, questions) = try await ask([
            "/dev/null/x", data, "192.0.2.1", "127.0.0.1", "0", "70000", "x", "8501", "maybe", "CERTIFICATE",
            "/nowhere.pem", files.key, files.key, files.certificate, files.key, "-1", "30",
        ])
        #expect(
            setup
                == Setup(
                    data: data, host: "127.0.0.1", port: 8501,
                    encryption: .certificate(files.certificate, key: files.key), retainDays: 30))
        #expect(questions.filter { $0.hasPrefix("Port") }.count == 4)
    }

    @Test("The end of the answers ends the questions, and nothing is written")
    func endOfAnswers() async throws {
        await #expect(throws: Failure.self) { try await ask(["", ""], data: data) }
    }

    @Test("The address in the lines is one under which this machine reaches the workspace")
    func addresses() {
        func setup(_ host: String, _ encryption: Setup.Encryption = .none) -> Setup {
            Setup(data: "/d", host: host, port: 1, encryption: encryption, retainDays: 1)
        }
        #expect(setup("0.0.0.0").url == "http://127.0.0.1:1")
        #expect(setup("0.0.0.0", .development).url == "https://localhost:1")
        #expect(setup("::1").url == "http://[::1]:1")
        #expect(setup("stats.example.com", .development).url == "https://stats.example.com:1")
        #expect(setup("0.0.0.0").isOpen && !setup("0.0.0.0", .development).isOpen && !setup("localhost").isOpen)
    }
}
