import ArgumentParser
import TributaryJSON

/// Switches a destination in the app on.
struct SettingsDestinationSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Switches a destination on and replaces its settings.",
        discussion: """
            The settings are a JSON object in a file, or single values: apiKey=abc, limit=5, debug=true. Numbers, \
            true, false and null keep their JSON type. Everything else, and a value in double quotes, is a text. You \
            can also give no settings. Other users of the machine can see the command line, so put secrets into a \
            file.
            """)

    @Argument(help: "The key of the destination, as its plugin has it.")
    var name: String

    @Argument(help: "Settings: name=value.")
    var values: [SettingsValue] = []

    @Option(help: "A JSON file with the settings.", completion: .file(extensions: ["json"]))
    var file: String?

    @OptionGroup var options: SourceOptions

    @OptionGroup var confirmation: ConfirmationOptions

    func validate() throws {
        guard file == nil || values.isEmpty else { throw ValidationError("give a file or values, not both") }
    }

    func run() async throws {
        let settings = try settings()
        let client = try AdministrationClient(options)
        let before = try await client.get("integrations").objectValue?[name]?.objectValue ?? [:]
        try confirmation.confirm(
            IrreversibleStep(
                losses: Self.losses(name, from: before, to: settings), question: "Replace them?",
                otherwise: "nothing was changed"))
        try await client.send("PUT", "integrations", .object([name: .object(settings)]))
        let names = settings.isEmpty ? "no settings" : "settings " + settings.map(\.key).joined(separator: ", ")
        print("\(name.printable) is on, with \(names.printable)")
    }

    /// The loss when the destination gets other settings; none when each setting that is there is named again.
    static func losses(_ name: String, from before: JSONObject, to settings: JSONObject) -> [String] {
        let gone = before.map(\.key).filter { settings[$0] == nil }.map(\.printable)
        guard !gone.isEmpty else { return [] }
        return ["settings of \(name.printable) that are not named are deleted: \(gone.joined(separator: ", "))"]
    }

    private func settings() throws(Failure) -> JSONObject {
        guard let file else {
            return JSONObject(members: values.map { ($0.name, Self.json($0.text)) })
        }
        guard let object = try InputFile.json(file).objectValue else { throw Failure("\(file) is not a JSON object") }
        return object
    }

    private static func json(_ text: String) -> JSON {
        // A value that is not JSON is a text.
        guard let json = try? JSON.parse(text), json.objectValue == nil, json.elements == nil else {
            return .string(text)
        }
        return json
    }
}
