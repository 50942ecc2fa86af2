/// The forms of live plugins that an app runs.
///
/// A bundle that `PluginData` made of a common script has its plugins as data, too: an expression tree that the
/// client evaluates itself, without a JavaScript engine, and with a proof that each evaluation ends.
///
/// ```swift
/// analytics.add(plugin: LivePlugins(accept: .dataOnly))
/// ```
public enum LivePluginForms: Sendable, Hashable {
    /// Data where a bundle has it, and scripts otherwise.
    case scriptsAndData
    /// Data only. A bundle without data is refused, and a diagnostic reports it. No engine is started.
    case dataOnly
}
