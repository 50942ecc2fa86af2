import ArgumentParser
import TributaryJSON

/// Stops something on devices for a while.
struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stops live plugins or a destination on devices for a while, and shows who heard of it.",
        discussion: """
            A stop is a part of the settings, so each device hears it when it looks for settings next, and it has an end. Devices \
            look every minute for a day after a stop, unless the app looks more often, and report that they heard it. With \
            --drill nothing stops: `tributary stop list` shows how fast a stop would come around. `tributary plugin rollback` \
            and `tributary plugin disable` change what is deployed, and have no end.
            """,
        subcommands: [StopPlugins.self, StopDestination.self, StopList.self, StopEnd.self])
}

/// How long a stop lasts.
struct StopOptions: ParsableArguments {
    @Option(help: "How long it lasts: 90s, 30m, 12h, 2d; by default a day, at least a minute, at most 30d.")
    var until: Span?

    @Flag(help: "Stop nothing: devices only say that they heard it.")
    var drill = false

    /// Begins the stop, and says so.
    func begin(_ target: JSONObject, _ options: SourceOptions) async throws {
        var body = target
        body["seconds"] = until.map { .number(JSONNumber($0.seconds)) }
        if drill { body["drill"] = true }
        let answer = try await AdministrationClient(options).send("POST", "stops", .object(body))
        print("\(try StopText.title(answer)); `tributary stop list` shows how many devices have heard of it")
    }
}

/// Stops the live plugins.
struct StopPlugins: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins", abstract: "Stops the live plugins on devices.",
        discussion: """
            No script runs on a device then, also none that the app brings along, unless the app forces it. With --version, only that \
            version stops: devices of a stage run the version for all. Live plugins in the workspace go on; `tributary plugin disable` \
            ends them.
            """)

    @OptionGroup var options: SourceOptions

    @Option(help: "Stop only this version.")
    var version: Int?

    @OptionGroup var stop: StopOptions

    func run() async throws {
        var target: JSONObject = ["kind": "livePlugins"]
        target["version"] = version.map { .number(JSONNumber($0)) }
        try await stop.begin(target, options)
    }
}

/// Stops a destination in the app.
struct StopDestination: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destination", abstract: "Stops a destination in the app.",
        discussion: """
            The settings do not name the destination while it is stopped, so the app passes no event to it. `tributary destination \
            pause` holds back what the server forwards.
            """)

    @Argument(help: "The key of the destination, as its plugin has it.")
    var name: String

    @OptionGroup var options: SourceOptions

    @OptionGroup var stop: StopOptions

    func run() async throws { try await stop.begin(["kind": "destination", "destination": .string(name)], options) }
}

/// Shows the stops.
struct StopList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Shows the stops of a source, how many devices have heard of them, and when the others will.",
        discussion: """
            The figures come from health reports, and the times are foretold from how often devices look for settings. A device that \
            should have looked and was not heard of probably does not run. It hears of a stop when it starts.
            """)

    @OptionGroup var options: SourceOptions

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func run() async throws {
        let answer = try await AdministrationClient(options).get("stops")
        print(json ? answer.description : try StopText(answer).text)
    }
}

/// Ends a stop before its time.
struct StopEnd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "Ends a stop before its time.",
        discussion: "Devices go on when they look for settings next.")

    @Argument(help: "The number of the stop.")
    var number: Int

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let answer = try await AdministrationClient(options).delete("stops/\(number)")
        print("\(try StopText.title(answer)): ended")
    }
}
