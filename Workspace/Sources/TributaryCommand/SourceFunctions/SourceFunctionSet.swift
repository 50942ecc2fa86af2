import ArgumentParser
import TributaryJSON

/// Gives a source a function, or changes it.
struct SourceFunctionSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Gives a source a function, or changes it, and shows the address for the service.",
        discussion: """
            The server loads the code before it stores it. Without --code and --template the code stays. Settings and secrets that \
            are not named stay, and so does the address.
            """)

    @OptionGroup var options: SourceOptions

    @Option(help: ArgumentHelp("The file of the code.", valueName: "file"), completion: .file(extensions: ["js"]))
    var code: String?

    @Option(help: "The template; `tributary source function templates` lists them.")
    var template: String?

    @Option(
        help: ArgumentHelp(
            "A setting of the function: currency=EUR. May be repeated; without a value it is removed.",
            valueName: "name=value"))
    var setting: [String] = []

    @Option(
        help: ArgumentHelp(
            "A secret of the function and its file: token=FILE. May be repeated; the file - is standard input.",
            valueName: "name=file"))
    var secretFile: [String] = []

    @Flag(help: "Write the function as JSON.")
    var json = false

    func validate() throws {
        if code != nil, template != nil { throw ValidationError("give --code or --template, not both") }
        if code == nil, template == nil, setting.isEmpty, secretFile.isEmpty {
            throw ValidationError("there is nothing to change: name --code, --template, --setting or --secret-file")
        }
        if secretFile.count(where: { $0.hasSuffix("=-") }) > 1 {
            throw ValidationError("standard input has one secret")
        }
    }

    func run() async throws {
        let client = try AdministrationClient(options)
        var body = JSONObject()
        if let code { body["code"] = .string(try FunctionFolder.code(code)) }
        if let template { body["template"] = .string(template) }
        if !setting.isEmpty { body["settings"] = .object(try await settings(client)) }
        body["secrets"] = try DestinationSecretOptions.named(secretFile)
        let answer = try await client.send("PUT", "function", .object(body))
        if json { return print(answer.description) }
        for line in try SourceFunctionReport(answer, server: options.server.server).lines { print(line) }
    }

    /// The server replaces settings as a whole, so the command reads them first.
    private func settings(_ client: AdministrationClient) async throws -> JSONObject {
        var values = JSONObject()
        do {
            values = try await client.get("function").object("settings")
        } catch is AdministrationClient.NotFound {
            // It is made now. When there is no such source, the next request reports that.
        }
        for text in setting {
            let (name, value) = try FunctionOptions.pair(text, option: "--setting")
            if value.isEmpty { values[name] = Optional<JSON>.none } else { values[name] = .string(value) }
        }
        return values
    }
}
