import TributaryRuleCompiler

/// Live plugins as data: what a client runs in place of the script of a bundle, without a JavaScript engine.
///
/// The data stands in a comment in the first line of the bundle, so signature, stages and roll-backs concern both, and a client
/// that knows no data runs the script.
///
/// ```swift
/// let data = PluginData("class Fix extends LivePlugin { }\nanalytics.add(new Fix(LivePluginType.enrichment))")
/// for problem in data.problems { print("\(problem.line):\(problem.column): \(problem.reason)") }
/// print(data.bundle)    // with the data, when all of the script becomes data
/// ```
public struct PluginData: Sendable {
    /// A part of the script that does not become data, with the reason.
    public struct Problem: Sendable, Hashable {
        /// The class of the plugin that needs the part; nil when it concerns the whole script.
        public let plugin: String?
        /// The line in the script, from 1.
        public let line: Int
        /// The character in the line, from 1.
        public let column: Int
        /// Why it does not become data, in plain words.
        public let reason: String
    }

    /// The script with its data, or the script alone when a part of it does not become data.
    public let bundle: String
    /// The classes of the plugins that the script adds, in their order.
    public let plugins: [String]
    /// In the order of the script; empty when all of it becomes data.
    public let problems: [Problem]

    /// Whether all of the script becomes data.
    public var isData: Bool { problems.isEmpty }

    /// Makes data of a script. The script does not run.
    ///
    /// - Parameter bundle: a script without tables. Data that it has already is made anew.
    public init(_ bundle: String) {
        let made = RuleBundle(bundle)
        self.bundle = made.text
        plugins = made.compilation.plugins
        problems = made.compilation.problems.map { problem in
            Problem(plugin: problem.plugin, line: problem.line, column: problem.column, reason: problem.reason)
        }
    }

    /// Whether nothing in the script keeps this plugin from becoming data.
    public func isData(plugin: String) -> Bool {
        plugins.contains(plugin) && !problems.contains { $0.plugin == plugin || $0.plugin == nil }
    }

    /// Whether a bundle has data.
    public static func hasData(_ bundle: String) -> Bool { RuleBundle.hasData(bundle) }

    /// Whether the data of a bundle is what its script becomes; true for a bundle without data.
    public static func isFaithful(_ bundle: String) -> Bool { RuleBundle.isFaithful(bundle) }
}
