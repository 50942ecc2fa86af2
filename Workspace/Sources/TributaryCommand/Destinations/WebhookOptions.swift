import ArgumentParser
import TributaryJSON

/// The options of a webhook's requests.
struct WebhookOptions: ParsableArguments {
    @Option(help: "Seconds that an answer may take, 1 to 60; 15 when it was never set.")
    var timeout: Int?

    @Option(help: "Requests at the same time, 1 to 64; 8 when it was never set.")
    var parallel: Int?

    var isEmpty: Bool { timeout == nil && parallel == nil }

    /// Writes the given options into settings.
    func apply(to settings: inout JSONObject) {
        if let timeout { settings["timeoutSeconds"] = .number(JSONNumber(timeout)) }
        if let parallel { settings["parallelRequests"] = .number(JSONNumber(parallel)) }
    }
}
