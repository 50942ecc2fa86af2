import AnalyticsLive
public import Foundation
import TributaryScript

/// A review of a bundle without events: whether devices accept it, and probable mistakes.
public struct BundleReview: Sendable {
    /// One finding.
    public struct Finding: Sendable, Hashable {
        /// The importance of a finding.
        public enum Severity: String, Sendable, Hashable {
            /// Devices would not run the bundle, one of its plugins fails, or a part certainly cannot do what it says.
            case error
            /// Probably a mistake.
            case warning
        }

        /// The importance of the finding.
        public let severity: Severity
        /// The finding, as a text for people.
        public let message: String
        /// The line, when it is known.
        public let line: Int?
        /// The source file, for a generated script with a source map; nil for the script itself.
        public let file: String?
        /// The line of the script itself, also when `line` is one of a source file; nil when it is not known.
        public let scriptLine: Int?

        init(severity: Severity, message: String, line: Int?, file: String? = nil, scriptLine: Int? = nil) {
            self.severity = severity
            self.message = message
            self.line = line
            self.file = file
            self.scriptLine = scriptLine ?? (file == nil ? line : nil)
        }
    }

    /// Bytes from which a bundle counts as large: every device fetches every version.
    private static let largeBytes = 100 * 1024
    /// Seconds from which loading counts as slow. Events wait for it at every start of an app.
    static let slowSeconds = 0.5

    /// Errors first, then warnings.
    public private(set) var findings: [Finding] = []
    /// The plugins that the bundle adds; none when it cannot be loaded.
    public private(set) var plugins: [TestedPlugin] = []
    /// Whether the bundle makes events of signals with `processSignal`.
    public private(set) var hasGenerator = false
    /// The tables of the bundle; none when its line with tables cannot be used.
    public private(set) var tables = ScriptTables()
    /// Bytes of the bundle.
    public let bytes: Int
    /// Seconds that loading took; nil when it cannot be loaded.
    public private(set) var loadSeconds: Double?

    /// Whether devices would run the bundle.
    public private(set) var isUsable = true
    /// Whether devices would not run the bundle, or a part of it certainly cannot do what it says.
    public var hasErrors: Bool { findings.contains { $0.severity == .error } }

    /// Reviews a bundle. Lines in findings are those of the script, behind a line with tables.
    /// - Parameters:
    ///   - name: the name of the script in errors.
    ///   - sourceMap: the source map of a generated script. Errors then name its sources.
    ///   - known: what the workspace knows about the source. Then the review also finds destinations and events that
    ///     are not there. Default: nothing is known.
    public init(bytes: [UInt8], name: String, sourceMap: Data? = nil, known: KnownSource? = nil) {
        self.init(bytes: bytes, name: name, sourceMap: sourceMap, known: known, slowSeconds: Self.slowSeconds)
    }

    /// Reviews a bundle with another limit for loading. On a busy machine, every bundle loads slowly.
    init(bytes: [UInt8], name: String, sourceMap: Data? = nil, known: KnownSource? = nil, slowSeconds: Double) {
        self.bytes = bytes.count
        lookAtSize()
        let source = String(decoding: bytes, as: UTF8.self)
        guard source.utf8.elementsEqual(bytes) else {
            add(.error, "it is not UTF-8")
            isUsable = false
            return
        }
        lookAtTables(of: source)
        if !PluginData.isFaithful(source) {
            // Devices would run something else than the script that people and this review read.
            add(
                .error,
                "the data in its first line is not what its script becomes; `tributary plugin build --data` makes it anew"
            )
        }
        let code = BundleText(source).code
        lookAtExpressions(of: code)
        for (word, line) in MissingNames.uses(in: code) {
            add(.warning, "\(word) does not exist in the sandbox", line)
        }
        do {
            let testRun = try PluginTestRun(source: source, name: name, sourceMap: sourceMap)
            lookAt(testRun, name, slowSeconds: slowSeconds)
            if let event = OwnEventProbe.repetition(in: source, name: name) {
                add(
                    .warning,
                    "it tracks \(event) again for each \(event) that it sees, including its own. Change the event and return it, or "
                        + "return at once when event.context.__eventOrigin is there")
            }
        } catch {
            let source = error.file.flatMap { $0 == name ? nil : $0 }
            add(.error, error.message, error.line, in: source)
        }
        isUsable = !hasErrors
        if isUsable { lookAtMeaning(of: source, name, known, sourceMap) }
        translate(by: sourceMap.flatMap(SourceMap.init(json:)) ?? SourceMap.inline(in: code))
        findings.sort { $0.severity == .error && $1.severity == .warning }
    }

    /// Gives findings about a generated script their places in its sources.
    private mutating func translate(by map: SourceMap?) {
        guard let map else { return }
        findings = findings.map { finding in
            guard finding.file == nil, let line = finding.line, let place = map.source(ofLine: line) else {
                return finding
            }
            return Finding(
                severity: finding.severity, message: finding.message, line: place.line, file: place.file,
                scriptLine: line)
        }
    }

    /// Reviews what the parts of the bundle do.
    private mutating func lookAtMeaning(of source: String, _ name: String, _ known: KnownSource?, _ sourceMap: Data?) {
        do {
            let review = try ScriptReview(source: source, name: name, tables: tables.names, known: known)
            // A missing method has one finding: the name that is spelt wrong.
            if review.findings.contains(where: { $0.severity == .error }) {
                findings.removeAll { $0.message.hasSuffix(Self.noMethod) }
            }
            findings += review.findings
        } catch {
            add(.warning, "it was not reviewed further: \(error.message)", error.line)
        }
    }

    private static let noMethod = "overrides no method of LivePlugin; is a name misspelt?"

    /// Reviews the line with tables. Devices run each line that is JavaScript, so this is where the limits of tables are kept.
    private mutating func lookAtTables(of source: String) {
        do {
            tables = try ScriptTables.parts(of: source).tables
        } catch {
            add(.error, error.message)
        }
    }

    /// Reviews the regular expressions. No guard can stop one that is running, so a use that would take too long is refused.
    private mutating func lookAtExpressions(of source: String) {
        for expression in RiskyExpression.all(in: source) {
            let text = expression.text.count > 60 ? expression.text.prefix(60) + "…" : expression.text[...]
            let place = "\(text) (column \(expression.column))"
            let refusal = expression.slowText.map { "; it is refused for a text such as \(Self.excerpt($0))" } ?? ""
            switch expression.risk {
            case .exponential:
                add(
                    .error,
                    "\(place) can match a text in very many ways, so it takes too long on a text that does not match"
                        + refusal, expression.line)
            case .polynomial:
                add(
                    .warning,
                    "\(place) takes long on a long text that does not match, because two of its parts can match the same text"
                        + refusal, expression.line)
            case .unknown:
                add(
                    .warning,
                    "\(place) is too large, or of a kind, that its time is not known; devices may refuse it for long "
                        + "texts", expression.line)
            case .none: break
            }
        }
    }

    /// The beginning of a text with its length.
    private static func excerpt(_ text: String) -> String {
        let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
        let plain = shown.unicodeScalars.map { $0.value < 0x20 ? $0.escaped(asASCII: true) : String($0) }.joined()
        return "\"\(plain)\" (\(text.count) characters)"
    }

    private mutating func lookAtSize() {
        if bytes == 0 { add(.error, "it is empty") }
        let limit = LivePluginLimits.bundleBytes
        if bytes > limit {
            add(.error, "it has \(bytes) bytes; devices accept at most \(limit)")
        } else if bytes > Self.largeBytes {
            add(.warning, "it has \(bytes) bytes, which every device fetches with each version")
        }
    }

    private mutating func lookAt(_ testRun: PluginTestRun, _ name: String, slowSeconds: Double) {
        plugins = testRun.plugins
        hasGenerator = testRun.hasGenerator
        loadSeconds = testRun.loadSeconds
        for reason in testRun.unguardedScripts { add(.warning, reason) }
        for fault in testRun.faultsOfUpdate {
            add(.error, "update fails: \(fault.text)", fault.line, in: fault.file == name ? nil : fault.file)
        }
        if plugins.isEmpty, !hasGenerator {
            add(.warning, "it does nothing: it adds no plugin with analytics.add and has no function processSignal")
        }
        for plugin in plugins {
            if plugin.type == "utility", plugin.handlesEvents {
                add(.warning, "\(plugin.name) is a utility plugin, which gets no events")
            } else if !plugin.handlesEvents, !plugin.hearsNotices {
                add(.warning, "\(plugin.name) \(Self.noMethod)")
            }
        }
        if testRun.loadSeconds > slowSeconds {
            add(.warning, "loading takes \(Int(testRun.loadSeconds * 1000)) ms; events wait for it")
        }
    }

    private mutating func add(
        _ severity: Finding.Severity, _ message: String, _ line: Int? = nil, in source: String? = nil
    ) {
        findings.append(Finding(severity: severity, message: message, line: line, file: source))
    }
}
