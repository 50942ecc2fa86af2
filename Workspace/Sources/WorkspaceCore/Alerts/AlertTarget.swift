import TributaryJSON

/// Where the messages of an alert rule go.
package enum AlertTarget: Sendable, Equatable {
    /// To the address for operators that the server was started with.
    case notices
    /// By mail, to the addresses that the server was started with.
    case mail
    /// To an address of the rule's own.
    case webhook(ServiceAddress, Body)

    package enum Body: String, Sendable {
        /// An object with the text, the rule and its state.
        case webhook
        /// An object with the text alone, as Slack and chats like it read it.
        case slack
    }

    /// - Parameter old: the target of the rule before; its address stays when none is named.
    init(_ object: JSONObject, keeping old: AlertTarget?) throws(Refusal) {
        let to = try object.member("to", Self.choice, \.stringValue)
        let url = try object.member("url", "url is a text", \.stringValue)
        guard let to, to != "notices", to != "mail" else {
            guard url == nil else { throw .invalid("a rule with a url has to: \"webhook\" or \"slack\"") }
            self = to == "mail" ? .mail : .notices
            return
        }
        guard let body = Body(rawValue: to) else { throw .invalid(Self.choice) }
        if url == nil, case .webhook(let address, _) = old {
            self = .webhook(address, body)
            return
        }
        guard let url, url.utf8.count <= Limits.alertURL else {
            throw .invalid("to \"\(to)\" needs a url of at most \(Limits.alertURL) bytes")
        }
        do throws(ServiceAddress.Problem) {
            self = .webhook(try ServiceAddress(url), body)
        } catch {
            // The text may be a secret, so the refusal does not repeat it.
            throw .invalid("the url is no address that begins with https:// or http:// and names a host")
        }
    }

    private static let choice = "to is \"notices\", \"mail\", \"webhook\" or \"slack\""

    package var to: String {
        switch self {
        case .notices: "notices"
        case .mail: "mail"
        case .webhook(_, let body): body.rawValue
        }
    }

    var url: String? {
        guard case .webhook(let address, _) = self else { return nil }
        return address.description
    }

    /// The address without its path, which is often a secret.
    package var shownURL: String? {
        guard case .webhook(let address, _) = self else { return nil }
        return address.target.isEmpty || address.target == "/" ? address.description : address.origin + "/…"
    }
}
