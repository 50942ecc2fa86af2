import ArgumentParser
import TributaryJSON
import WorkspaceCore

/// Shows what a function would send.
struct DestinationTry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Shows the requests that a function would make of the newest stored events. Nothing is sent.",
        discussion: """
            Without --code, --template and --version the deployed code is tried. With --compare, only events are shown whose \
            requests differ from those of the deployed code. Secrets are shown as {{secret:name}}. The exit code is 1 when the \
            function fails at an event.

              tributary destination try Orders --code new.js --compare --last 200
              tributary destination try Orders --version 3 --compare --since 2026-11-20 --where 'properties.total>10'
            """)

    @OptionGroup var options: DestinationOptions

    @OptionGroup var function: FunctionOptions

    @Option(help: "Try an older version of the code and the settings; `tributary destination versions` lists them.")
    var version: Int?

    @Flag(help: "Show what differs from the requests of the deployed code.")
    var compare = false

    @OptionGroup var choice: EventChoiceOptions

    @Option(help: "How many of the newest events, 1 to 200.")
    var last = 20

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func validate() throws {
        guard version != nil, !function.isEmpty else { return }
        throw ValidationError(
            "a version has its own code and settings; give --version, or --code, --template and --setting")
    }

    func run() async throws {
        let client = try options.client()
        var settings = JSONObject()
        if !function.setting.isEmpty { settings = try await client.get("").object("settings") }
        settings = JSONObject(members: settings.filter { $0.key == "settings" }.map { ($0.key, $0.value) })
        try function.apply(to: &settings)
        settings["last"] = .number(last)
        if let version { settings["version"] = .number(version) }
        if compare { settings["compare"] = true }
        let answer = try await client.send("POST", "trial", query: choice.query(), .object(settings))
        let calls = try answer.list("calls")
        if json { print(answer.description) } else { try show(answer, calls) }
        if calls.contains(where: { $0["error"] != nil }) { throw ExitCode(1) }
    }

    private func show(_ answer: JSON, _ calls: [JSON]) throws {
        if calls.isEmpty { print("there is no such stored event that the destination would get") }
        let style = OutputStyle.output
        for call in calls where call["same"] != true {
            let ids = call["messageIds"]?.elements?.compactMap { $0.stringValue?.printable } ?? []
            let title = ids.count == 1 ? ids[0] : "\(ids.count) events, \(ids.first ?? "") and later"
            print(style.bold(title))
            if let before = call["before"] {
                print("  before")
                for line in Self.lines(before, style) { print("    " + line) }
                print("  now")
            }
            for line in Self.lines(call, style) { print((compare ? "    " : "  ") + line) }
        }
        guard let compared = answer["compared"], !calls.isEmpty else { return }
        let (changed, events) = (try compared.number("changed"), try compared.number("events"))
        print("\(changed.grouped) of \(events.grouped) \(events == 1 ? "event has" : "events have") other requests")
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
