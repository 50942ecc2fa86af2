import Foundation
import TributaryJSON

/// Runs the check of signatures that docs/OPERATING.md shows.
enum DocumentedCheck {
    struct Missing: Error {}

    /// The repository, by the place of this file.
    private static let document = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../../docs/OPERATING.md").standardizedFileURL

    /// Whether a receiver with this secret would accept the request as a request of the workspace.
    static func accepts(_ delivery: Receiver.Delivery, secret: String) async throws -> Bool {
        let headers = JSONObject(delivery.headers.mapValues(JSON.string))
        let request: JSON = [
            "headers": .object(headers), "body": .string(Data(delivery.body).base64EncodedString()),
            "secret": .string(secret),
        ]
        let example = try Self.example()
        let program = """
            \(example)
            import json, sys
            request = json.loads(sys.argv[1])
            print(is_genuine(request["headers"], base64.b64decode(request["body"]), request["secret"]))
            """
        let output = try await python(program, request.description)
        guard ["True\n", "False\n"].contains(output) else { throw Missing() }
        return output == "True\n"
    }

    private static func example() throws -> String {
        let text = try String(contentsOf: document, encoding: .utf8)
        let examples = text.components(separatedBy: "```python\n").dropFirst()
        guard examples.count == 1, let example = examples.first?.components(separatedBy: "```").first else {
            throw Missing()
        }
        return example
    }

    private static func python(_ program: String, _ argument: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try blockingPython(program, argument) })
            }
        }
    }

    private static func blockingPython(_ program: String, _ argument: String) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program, argument]
        process.standardOutput = output
        try process.run()
        let text = CommandRun.rest(of: output.fileHandleForReading)
        process.waitUntilExit()
        return text
    }
}
