import ArgumentParser
import TributaryJSON

/// How a webhook is spoken to.
struct WebhookOptions: ParsableArguments {
    @Option(help: "Seconds that an answer may take, 1 to 60; 15 when nothing was ever said.")
    var timeout: Int?

    @Option(help: "Requests under way at once, 1 to 64; 8 when nothing was ever said.")
    var parallel: Int?

    var isEmpty: Bool { timeout == nil && parallel == nil }

    /// Puts what was said into settings.
    func apply(to settings: inout JSONObject) {
        if let timeout { settings["timeoutSeconds"] = .number(JSONNumber(timeout)) }
        if let parallel { settings["parallelRequests"] = .number(JSONNumber(parallel)) }
    }
}
