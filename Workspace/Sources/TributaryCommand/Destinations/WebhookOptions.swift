import ArgumentParser
import TributaryJSON
import WorkspaceCore

/// The options of a webhook's requests.
struct WebhookOptions: ParsableArguments {
    @Option(help: "Seconds that an answer may take, 1 to 60; 15 when it was never set.")
    var timeout: Int?

    @Option(help: "Requests at the same time, 1 to 64; 8 when it was never set.")
    var parallel: Int?

    @Option(help: "Events of one request, 1 to 500; 1 when it was never set, and then each event is the whole body.")
    var batch: Int?

    @Option(
        help: ArgumentHelp(
            "A header of each request: 'Authorization: Bearer abc'. May be repeated; without a value it is removed.",
            discussion: "Other users of the machine can see the command line."))
    var header: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "Whether the receiver takes requests to delete the data of an erased user; no when it was never set.")
    var deletions: Bool?

    var isEmpty: Bool { deletions == nil && timeout == nil && parallel == nil && batch == nil && header.isEmpty }

    /// Whether only options are given that a function has, too.
    var isForAllRequests: Bool { deletions == nil && batch == nil && header.isEmpty }

    /// Writes the given options into settings.
    func apply(to settings: inout JSONObject) throws(Failure) {
        if let timeout { settings["timeoutSeconds"] = .number(timeout) }
        if let parallel { settings["parallelRequests"] = .number(parallel) }
        if let batch { settings["batchEvents"] = .number(batch) }
        if let deletions { settings["deletions"] = .bool(deletions) }
        guard !header.isEmpty else { return }
        var headers = settings["headers"]?.objectValue ?? JSONObject()
        for text in header {
            guard let colon = text.firstIndex(of: ":") else {
                throw Failure("\(text.printable) is not a header: it needs a colon after its name")
            }
            let name = String(text[..<colon])
            for known in headers.map(\.key) where known.lowercased() == name.lowercased() {
                headers.removeValue(forKey: known)
            }
            let value = text[text.index(after: colon)...].drop { $0 == " " }
            if !value.isEmpty { headers[name] = .string(String(value)) }
        }
        settings["headers"] = .object(headers)
    }
}
