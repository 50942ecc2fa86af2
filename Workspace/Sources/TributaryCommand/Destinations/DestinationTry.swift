import ArgumentParser
import TributaryJSON
import WorkspaceCore

/// Shows what a function would send.
struct DestinationTry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Shows the requests that a function would make of the newest stored events. Nothing is sent.",
        discussion: """
            Without --code and --template the deployed code is tried. Secrets are shown as {{secret:name}}. The exit code is 1 \
            when the function fails at an event.
            """)

    @OptionGroup var options: DestinationOptions

    @OptionGroup var function: FunctionOptions

    @Option(help: "How many of the newest events, 1 to 200.")
    var last = 20

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func run() async throws {
        let client = try options.client()
        var settings = JSONObject()
        if !function.setting.isEmpty { settings = try await client.get("").object("settings") }
        settings = JSONObject(members: settings.filter { $0.key == "settings" }.map { ($0.key, $0.value) })
        try function.apply(to: &settings)
        settings["last"] = .number(last)
        let answer = try await client.send("POST", "trial", .object(settings))
        let calls = try answer.list("calls")
        if json { print(answer.description) } else { show(calls) }
        if calls.contains(where: { $0["error"] != nil }) { throw ExitCode(1) }
    }

    private func show(_ calls: [JSON]) {
        if calls.isEmpty { print("there is no stored event that the destination would get") }
        for call in calls {
            let ids = call["messageIds"]?.elements?.compactMap { $0.stringValue?.printable } ?? []
            let style = OutputStyle.output
            let title = ids.count == 1 ? ids[0] : "\(ids.count) events, \(ids.first ?? "") and later"
            print(style.bold(title))
            for line in Self.lines(call, style) { print("  " + line) }
        }
    }

    private static func lines(_ call: JSON, _ style: OutputStyle) -> [String] {
        if let error = call["error"]?.stringValue { return [style.bad(error.printable)] }
        if let reason = call["later"]?.stringValue { return ["later: \(reason.printable)"] }
        let requests = call["requests"]?.elements ?? []
        guard !requests.isEmpty else { return [style.faint("sends nothing")] }
        return requests.flatMap { request in
            let headers = (request["headers"]?.objectValue ?? [:]).map { name, value in
                "  \(name.printable): \((value.stringValue ?? "").printable)"
            }
            let body = request["body"].map { ["  \(($0.stringValue ?? $0.description).printable)"] } ?? []
            let line = "\(request["method"]?.stringValue ?? "") \(request["url"]?.stringValue ?? "")"
            return [line.printable] + headers + body
        }
    }
}
