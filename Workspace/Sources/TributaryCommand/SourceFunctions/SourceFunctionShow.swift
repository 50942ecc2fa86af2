import ArgumentParser
import TributaryJSON

/// Shows the function of a source.
struct SourceFunctionShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the function of a source, its address, and what became of the requests.")

    @OptionGroup var options: SourceOptions

    @Flag(help: "Write it as JSON.")
    var json = false

    func run() async throws {
        let answer = try await AdministrationClient(options).get("function")
        if json { return print(answer.description) }
        for line in try SourceFunctionReport(answer, server: options.server.server).lines { print(line) }
    }
}

/// A source function as text.
struct SourceFunctionReport {
    let lines: [String]

    /// - Parameters:
    ///   - answer: the function as the server shows it.
    ///   - server: the address of the server.
    init(_ answer: JSON, server: String, style: OutputStyle = .output) throws(Failure) {
        let declaration = answer["declaration"]
        let name = declaration?["class"]?.stringValue?.printable ?? "a class"
        let scheme = declaration?["verification"]?["scheme"]?.stringValue?.printable ?? ""
        let requests = JSON.object(try answer.object("requests"))
        func list(_ json: JSON?) -> String {
            let names = json?.elements?.compactMap { $0.stringValue?.printable } ?? []
            return names.isEmpty ? "none" : names.joined(separator: ", ")
        }
        func count(_ name: String) -> String { (requests[name]?.intValue ?? 0).grouped }
        func note(_ name: String, _ title: String) -> [String] {
            guard let reason = requests[name]?["reason"]?.stringValue else { return [] }
            return ["  \(title) \(requests[name]?["at"]?.stringValue?.printable ?? ""): \(reason.printable)"]
        }
        let path = answer["path"]?.stringValue.map { (server.hasSuffix("/") ? String(server.dropLast()) : server) + $0 }
        let settings = (answer["settings"]?.objectValue ?? [:]).map { name, value in
            "  \(name.printable): \((value.stringValue ?? value.description).printable)"
        }
        lines =
            [
                "\(style.bold(name))  requests are checked by: \(scheme)",
                "  address: \(path?.printable ?? "only a token that may administer sees it")",
                "  changed \(answer["updatedAt"]?.stringValue?.printable ?? ""), secrets: \(list(answer["secrets"]))",
            ] + settings + [
                "  since the server started: \(count("accepted")) requests with \(count("events")) events taken, "
                    + "\(count("refused")) refused, \(count("failed")) failed"
            ] + note("lastRefusal", "last refusal") + note("lastFailure", "last failure")
    }
}
