package import TributaryJSON

/// A message of a rule that its webhook has not accepted yet.
package struct AlertMessage: Sendable, Equatable {
    package enum Occasion: String, Sendable { case firing, over, test }

    package let number: Int64
    package let occasion: Occasion
    package let text: String
    package let at: Int64
    package var tries: Int64 = 0
    package var dueAt: Int64
    /// Why the last attempt failed.
    package var problem: String?

    package init(number: Int64 = 0, _ occasion: Occasion, _ text: String, at: Int64) {
        (self.number, self.occasion, self.text, self.at) = (number, occasion, text, at)
        dueAt = at
    }
}

/// Whether a rule holds, and which messages its webhook has not got yet.
///
/// An alert says that it begins, and says once more that it is over. It says nothing between.
package struct AlertState: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        case quiet
        /// - Parameter clearSince: since when all is well again; nil while it is not.
        case firing(since: Int64, clearSince: Int64?)
    }

    package var phase = Phase.quiet
    /// Oldest first.
    package var waiting: [AlertMessage] = []
    /// How many messages were made.
    package var count: Int64 = 0
    /// How many messages were given up, and why the last attempt of one failed.
    package var lost: Int64 = 0
    package var problem: String?

    package init() {}

    /// Takes a look at the state that the rule is about.
    /// - Returns: the message that operators get now.
    package mutating func look(_ reading: AlertReading, of name: String, at now: Int64) -> AlertMessage? {
        switch (phase, reading) {
        case (.quiet, .bad(let text)):
            phase = .firing(since: now, clearSince: nil)
            return message(.firing, "alert \(name): \(text)", now)
        case (.firing(let since, let clear), .good(let text)):
            // A clock that jumped back begins the wait anew.
            guard let clear, clear <= now else {
                phase = .firing(since: min(since, now), clearSince: now)
                return nil
            }
            guard now - clear >= Limits.alertCalm else { return nil }
            phase = .quiet
            return message(.over, "alert \(name) is over after \(AlertReading.span(max(0, now - since))): \(text)", now)
        case (.firing(let since, .some), .bad), (.firing(let since, .some), .between):
            phase = .firing(since: since, clearSince: nil)
            return nil
        case (.quiet, _), (.firing, _): return nil
        }
    }

    private mutating func message(_ occasion: AlertMessage.Occasion, _ text: String, _ now: Int64) -> AlertMessage {
        count += 1
        return AlertMessage(number: count, occasion, text, at: now)
    }

    /// Keeps a message until the webhook accepts it. The oldest goes when there are too many.
    package mutating func keep(_ message: AlertMessage) {
        waiting.append(message)
        if waiting.count > Limits.alertMessages {
            waiting.removeFirst()
            lost += 1
        }
    }

    /// The message to send now; nil when there is none, or it is not time yet. They are sent in order.
    package func due(at now: Int64) -> AlertMessage? {
        guard let first = waiting.first else { return nil }
        // A clock that jumped back delays no message by more than the longest pause.
        return first.dueAt <= now || first.dueAt - now > Limits.alertBackoff.longest ? first : nil
    }

    /// Takes the result of an attempt.
    /// - Parameter problem: nil when the webhook accepted the message.
    package mutating func sent(_ number: Int64, problem: String?, at now: Int64) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        self.problem = problem
        guard let problem else {
            waiting.remove(at: index)
            return
        }
        guard now - waiting[index].at < Limits.noticeMilliseconds else {
            waiting.remove(at: index)
            lost += 1
            return
        }
        let tries = waiting[index].tries
        waiting[index].tries = tries + 1
        waiting[index].dueAt = now + Limits.alertBackoff.pause(after: Int(clamping: tries), random: 0)
        waiting[index].problem = problem
    }
}

extension AlertState {
    package init(stored json: JSON) {
        func number(_ name: String) -> Int64? { json[name]?.numberValue?.int64 }
        if let since = number("since") { phase = .firing(since: since, clearSince: number("clearSince")) }
        (count, lost, problem) = (number("count") ?? 0, number("lost") ?? 0, json["problem"]?.stringValue)
        waiting = (json["waiting"]?.elements ?? []).compactMap(AlertMessage.init(stored:))
    }

    package var stored: JSON {
        var json: JSONObject = ["count": .number(count), "lost": .number(lost)]
        if case .firing(let since, let clear) = phase {
            json["since"] = .number(since)
            if let clear { json["clearSince"] = .number(clear) }
        }
        if let problem { json["problem"] = .string(problem) }
        if !waiting.isEmpty { json["waiting"] = .array(waiting.map(\.stored)) }
        return .object(json)
    }
}

extension AlertMessage {
    fileprivate init?(stored json: JSON) {
        func number(_ name: String) -> Int64? { json[name]?.numberValue?.int64 }
        guard let number = number("number"), let at = json["at"]?.numberValue?.int64,
            let occasion = json["occasion"]?.stringValue.flatMap(Occasion.init), let text = json["text"]?.stringValue
        else { return nil }
        self.init(number: number, occasion, text, at: at)
        tries = json["tries"]?.numberValue?.int64 ?? 0
        dueAt = json["dueAt"]?.numberValue?.int64 ?? at
        problem = json["problem"]?.stringValue
    }

    fileprivate var stored: JSON {
        .object(withoutNulls: [
            "number": .number(number), "occasion": .string(occasion.rawValue), "text": .string(text), "at": .number(at),
            "tries": .number(tries), "dueAt": .number(dueAt), "problem": .string(problem),
        ])
    }

    /// The body of the request that tells it.
    package func body(_ form: AlertTarget.Body, of name: String) -> JSON {
        switch form {
        case .slack:
            // Slack reads marks in angle brackets as links and mentions.
            let safe = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            return ["text": .string(safe)]
        case .webhook:
            return [
                "text": .string(text), "alert": .string(name), "state": .string(occasion.rawValue), "at": .time(at),
            ]
        }
    }
}
