package import TributaryJSON
import WorkspaceCore

/// An answer with which a service accepted a request, as its function reads it. Secrets are hidden in it.
package struct FunctionAnswer: Sendable, Equatable {
    let status: Int
    /// Empty when the body is too long, or came too late.
    let body: String
    /// Which request of the call it answers, from 0.
    var number = 0

    /// - Parameter json: `status` and `body`, of the answer to the request with this number.
    package init(_ json: JSON, number: Int) {
        self.init(status: json["status"]?.intValue ?? 200, body: json["body"]?.stringValue ?? "", number: number)
    }

    init(status: Int, body: String, number: Int = 0) {
        (self.status, self.body, self.number) = (status, body, number)
    }

    var json: JSON { ["status": .number(status), "body": .string(body), "number": .number(number)] }
}

/// What a function says of an answer with which its service accepted a request.
package enum FunctionJudgement: Sendable, Equatable {
    /// The service has the events.
    /// - Parameter text: what is said of the answer; nil keeps the text of the answer.
    case taken(text: String?)
    /// The service will never take some of the events.
    /// - Parameter events: their places in the call.
    case refused(String, events: [Int])
    /// The function asks for all events of the call again later.
    case later(String)
    /// The code threw another error, or returned something else.
    case fault(String)
    /// There is no judgement: the process ended, or the code took too long.
    case failed(String)

    /// Reads the answer of a process.
    package init(_ answer: JSON) {
        if let reason = answer["refused"]?.stringValue, let events = answer["events"]?.elements {
            self = .refused(reason.isEmpty ? "the function refused it" : reason, events: events.compactMap(\.intValue))
        } else if let taken = answer["taken"] {
            self = .taken(text: taken.stringValue)
        } else if let reason = answer["later"]?.stringValue {
            self = .later(reason.isEmpty ? "the function asks for the event later" : reason)
        } else {
            let text = FunctionOutcome.text(answer["fault"] ?? [:])
            self = answer["mayBeRepeated"]?.boolValue == true ? .failed(text) : .fault(text)
        }
    }

    /// The same judgement with its text changed.
    func withText(_ change: (String) -> String) -> FunctionJudgement {
        switch self {
        case .taken(let text): .taken(text: text.map(change))
        case .refused(let text, let events): .refused(change(text), events: events)
        case .later(let text): .later(change(text))
        case .fault(let text): .fault(change(text))
        case .failed(let text): .failed(change(text))
        }
    }
}

/// The results of the events of a call, while its requests are answered one after the other.
package struct JudgedEvents: Sendable, Equatable {
    /// Why the service refused an event; nil for each one that it has.
    private var refusals: [String?]
    private var texts: [String] = []

    package init(count: Int) { refusals = Array(repeating: nil, count: count) }

    /// Notes that the service accepted a request.
    ///
    /// - Parameters:
    ///   - text: the answer, for people.
    ///   - judgement: what the function says of the answer; nil when it reads no answers.
    /// - Returns: the answer for all events of the call, when nothing else is sent; else nil.
    package mutating func accepted(_ text: String, _ judgement: FunctionJudgement?) -> ForwardingAnswer? {
        switch judgement {
        case nil, .taken(text: nil): texts.append(text)
        case .taken(let said?): texts.append(String(said.prefix(200)))
        case .refused(let reason, let events):
            texts.append(text)
            for place in events where refusals.indices.contains(place) { refuse(place, reason) }
        case .later(let reason): return .unavailable(reason)
        case .failed(let reason): return .failed(reason)
        // The service accepted the request, so other events of the call do not go again one by one.
        case .fault(let reason):
            texts.append(text)
            for place in refusals.indices { refuse(place, reason) }
        }
        return nil
    }

    private mutating func refuse(_ place: Int, _ reason: String) {
        refusals[place] = refusals[place] ?? String(reason.prefix(200))
    }

    /// The answer for each event, when all requests are sent.
    package var answers: [ForwardingAnswer] {
        let last = texts.last ?? Self.nothing
        let text = texts.count > 1 ? "\(texts.count) requests" + (last.isEmpty ? "" : ", the last: \(last)") : last
        return refusals.map { $0.map(ForwardingAnswer.refused) ?? .accepted(text) }
    }

    /// The answer for an event of which the function made no request.
    private static let nothing = "the function sent nothing"
}
