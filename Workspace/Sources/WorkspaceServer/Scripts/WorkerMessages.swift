package import TributaryJSON
import WorkspaceCore

/// A bundle for a worker process.
package struct WorkerBundle: Sendable, Equatable {
    package let source: String
    package let name: String
    package let writeKey: String
    package let version: Int64
    /// The settings that plugins get in `update`.
    package let settings: JSON
}

/// A destination function or a source function for a worker process.
package struct WorkerFunction: Sendable, Equatable {
    /// The class that the code extends.
    package enum Kind: String, Sendable {
        case destination = "Destination"
        case source = "Source"
    }

    package let kind: Kind
    package let source: String
    package let name: String
    /// The settings that the operator gave; null for a look at what the class declares.
    package let settings: JSON
    /// What its placeholders begin with, so that no text of an event is taken for one.
    package let nonce: String

    package init(_ kind: Kind = .destination, source: String, name: String, settings: JSON, nonce: String) {
        (self.kind, self.source, self.name) = (kind, source, name)
        (self.settings, self.nonce) = (settings, nonce)
    }
}

/// A question of the server to a worker process. A worker answers each before it reads the next.
package enum WorkerQuestion: Sendable, Equatable {
    /// Loads a bundle. The first question, and asked once.
    case load(WorkerBundle)
    /// Takes events through the plugins, in their order.
    /// - Parameter wantsHealth: whether the answer has the counts since the last one.
    case events([[UInt8]], wantsHealth: Bool)
    /// Loads a function in place of a bundle. The first question, and asked once.
    case loadFunction(WorkerFunction)
    /// Asks a destination function for its requests.
    /// - Parameter isBatch: whether the events go to `batch` together; else it is one event.
    case call([[UInt8]], isBatch: Bool)
    /// Asks a destination function what an answer of its service means for the events of a call: `status`, `body`, and the
    /// `number` of the request.
    case judge(JSON, [[UInt8]])
    /// Asks a source function for the events of a request: `headers`, `query` and `body`.
    case receive(JSON)
}

/// The result of an event.
package struct ScriptedEvent: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        case unchanged
        /// The text of the event as the scripts left it.
        case changed([UInt8])
        case dropped
    }

    package let outcome: Outcome
    /// The events that scripts made because of it.
    package let made: [[UInt8]]

    package init(_ outcome: Outcome, made: [[UInt8]] = []) { (self.outcome, self.made) = (outcome, made) }
}

/// The answer of a worker process.
package enum WorkerAnswer: Sendable, Equatable {
    /// The bundle is loaded.
    /// - Parameter confinement: nil when the process has no rights any more; else why the system did not take them.
    case loaded(confinement: String?)
    /// The bundle cannot be loaded, with the reason.
    case refused(String)
    /// The result of each event.
    /// - Parameters:
    ///   - failure: why no script runs any more; nil while they do. Events after the failure are unchanged.
    ///   - health: the counts in the form of a health report; nil when there are none, or they were not asked for.
    case events([ScriptedEvent], failure: String?, health: JSON?)
    /// The function is loaded.
    /// - Parameters:
    ///   - declaration: what its class declares, and the values of the settings.
    ///   - confinement: as of `loaded`.
    case function(declaration: JSON, confinement: String?)
    /// What a function answered: `requests`, `events`, `taken`, `refused`, `later`, or a `fault`.
    case called(JSON)
}

// MARK: Bytes

/// A message is four bytes with its length, little-endian, and so many bytes. The first of these names its kind.
package enum WorkerMessages {
    package static let headBytes = 4
    /// The most bytes of a message; an answer may have ten times the events of its question.
    package static let bytes = 64 << 20

    /// The message with such a content.
    package static func message(_ content: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(clamping: content.count).littleEndian) { Array($0) } + content
    }

    /// How many bytes of content follow the head of a message; nil for more than a message may have.
    package static func length(_ head: [UInt8]) -> Int? {
        let count = head.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
        return count <= bytes ? count : nil
    }

    package static func encoded(_ question: WorkerQuestion) -> [UInt8] {
        var writer = MessageWriter()
        switch question {
        case .load(let bundle):
            writer.add(byte: 1)
            writer.add(
                JSON.object([
                    "source": .string(bundle.source), "name": .string(bundle.name),
                    "writeKey": .string(bundle.writeKey), "version": .number(bundle.version),
                    "settings": bundle.settings,
                ]).encoded())
        case .events(let events, let wantsHealth):
            writer.add(byte: 2)
            writer.add(byte: wantsHealth ? 1 : 0)
            writer.add(number: events.count)
            for event in events { writer.add(event) }
        case .loadFunction(let function):
            writer.add(byte: 3)
            writer.add(
                JSON.object([
                    "source": .string(function.source), "name": .string(function.name), "settings": function.settings,
                    "nonce": .string(function.nonce), "kind": .string(function.kind.rawValue),
                ]).encoded())
        case .call(let events, let isBatch):
            writer.add(byte: 4)
            writer.add(byte: isBatch ? 1 : 0)
            writer.add(number: events.count)
            for event in events { writer.add(event) }
        case .judge(let answer, let events):
            writer.add(byte: 5)
            writer.add(answer.encoded())
            writer.add(number: events.count)
            for event in events { writer.add(event) }
        case .receive(let request):
            writer.add(byte: 6)
            writer.add(request.encoded())
        }
        return writer.message
    }

    package static func question(_ message: [UInt8]) -> WorkerQuestion? {
        var reader = MessageReader(message)
        switch reader.byte() {
        case 1:
            guard let text = reader.bytes(), let json = try? JSON.parse(text, limits: limits),
                let source = json["source"]?.stringValue, let name = json["name"]?.stringValue,
                let writeKey = json["writeKey"]?.stringValue, let version = json["version"]?.intValue,
                let settings = json["settings"]
            else { return nil }
            return .load(
                WorkerBundle(
                    source: source, name: name, writeKey: writeKey, version: Int64(version), settings: settings))
        case 2:
            guard let wantsHealth = reader.byte(), let events = reader.texts() else { return nil }
            return .events(events, wantsHealth: wantsHealth == 1)
        case 3: return reader.bytes().flatMap(function)
        case 4:
            guard let isBatch = reader.byte(), let events = reader.texts() else { return nil }
            return .call(events, isBatch: isBatch == 1)
        case 5:
            guard let answer = reader.json(limits), let events = reader.texts() else { return nil }
            return .judge(answer, events)
        case 6: return reader.json(limits).map(WorkerQuestion.receive)
        default: return nil
        }
    }

    private static func function(_ text: [UInt8]) -> WorkerQuestion? {
        guard let json = try? JSON.parse(text, limits: limits), let source = json["source"]?.stringValue,
            let name = json["name"]?.stringValue, let settings = json["settings"],
            let nonce = json["nonce"]?.stringValue,
            let kind = json["kind"]?.stringValue.flatMap(WorkerFunction.Kind.init)
        else { return nil }
        return .loadFunction(WorkerFunction(kind, source: source, name: name, settings: settings, nonce: nonce))
    }

    package static func encoded(_ answer: WorkerAnswer) -> [UInt8] {
        var writer = MessageWriter()
        switch answer {
        case .loaded(let confinement):
            writer.add(byte: 1)
            writer.add(Array((confinement ?? "").utf8))
        case .refused(let reason):
            writer.add(byte: 2)
            writer.add(Array(reason.utf8))
        case .events(let events, let failure, let health):
            writer.add(byte: 3)
            writer.add(Array((failure ?? "").utf8))
            writer.add(health?.encoded() ?? [])
            writer.add(number: events.count)
            for event in events { writer.add(event) }
        case .function(let declaration, let confinement):
            writer.add(byte: 4)
            writer.add(Array((confinement ?? "").utf8))
            writer.add(declaration.encoded())
        case .called(let answer):
            writer.add(byte: 5)
            writer.add([])
            writer.add(answer.encoded())
        }
        return writer.message
    }

    package static func answer(_ message: [UInt8]) -> WorkerAnswer? {
        var reader = MessageReader(message)
        let kind = reader.byte()
        guard let text = reader.bytes().map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
        switch kind {
        case 1: return .loaded(confinement: text.isEmpty ? nil : text)
        case 2: return .refused(text)
        case 3:
            guard let counts = reader.bytes(), let count = reader.number() else { return nil }
            let health = try? JSON.parse(counts, limits: limits)
            var events: [ScriptedEvent] = []
            for _ in 0..<count {
                guard let event = reader.event() else { return nil }
                events.append(event)
            }
            return .events(events, failure: text.isEmpty ? nil : text, health: health)
        case 4:
            guard let declaration = reader.json(limits) else { return nil }
            return .function(declaration: declaration, confinement: text.isEmpty ? nil : text)
        case 5: return reader.json(limits).map(WorkerAnswer.called)
        default: return nil
        }
    }

    private static let limits = JSONLimits(depth: 200, bytes: bytes)
}

private struct MessageWriter {
    private var bytes = [UInt8](repeating: 0, count: WorkerMessages.headBytes)

    mutating func add(byte: UInt8) { bytes.append(byte) }

    mutating func add(number: Int) {
        withUnsafeBytes(of: UInt32(clamping: number).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ text: [UInt8]) {
        add(number: text.count)
        bytes += text
    }

    mutating func add(_ event: ScriptedEvent) {
        switch event.outcome {
        case .unchanged: add(byte: 0)
        case .dropped: add(byte: 1)
        case .changed(let text):
            add(byte: 2)
            add(text)
        }
        add(number: event.made.count)
        for text in event.made { add(text) }
    }

    /// The bytes with their length in front.
    var message: [UInt8] {
        var message = bytes
        let length = UInt32(clamping: bytes.count - WorkerMessages.headBytes)
        withUnsafeBytes(of: length.littleEndian) { message.replaceSubrange(0..<$0.count, with: $0) }
        return message
    }
}

/// Reads the content of a message. Every read is nil where the content ends.
private struct MessageReader {
    private let content: [UInt8]
    private var place = 0

    init(_ content: [UInt8]) { self.content = content }

    mutating func byte() -> UInt8? {
        guard place < content.count else { return nil }
        defer { place += 1 }
        return content[place]
    }

    mutating func number() -> Int? {
        guard content.count - place >= 4 else { return nil }
        defer { place += 4 }
        return content.withUnsafeBytes {
            Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        }
    }

    mutating func bytes() -> [UInt8]? {
        guard let count = number(), content.count - place >= count else { return nil }
        defer { place += count }
        return Array(content[place..<place + count])
    }

    mutating func json(_ limits: JSONLimits) -> JSON? {
        bytes().flatMap { try? JSON.parse($0, limits: limits) }
    }

    mutating func texts() -> [[UInt8]]? {
        guard let count = number() else { return nil }
        var texts: [[UInt8]] = []
        for _ in 0..<count {
            guard let text = bytes() else { return nil }
            texts.append(text)
        }
        return texts
    }

    mutating func event() -> ScriptedEvent? {
        let outcome: ScriptedEvent.Outcome
        switch byte() {
        case 0: outcome = .unchanged
        case 1: outcome = .dropped
        case 2:
            guard let text = bytes() else { return nil }
            outcome = .changed(text)
        default: return nil
        }
        return texts().map { ScriptedEvent(outcome, made: $0) }
    }
}
