/// The templates of live plugins that are part of the program.
package enum PluginTemplateFiles {
    /// The names of the templates.
    package static let names = ScriptFiles.templates("plugins", with: "plugin.js")

    /// The script of a template; nil when there is none of that name.
    package static func script(_ name: String) -> String? { ScriptFiles.all["plugins/\(name)/plugin.js"] }

    /// Events to try a template with, one on each line; nil when there is none of that name.
    package static func events(_ name: String) -> String? { ScriptFiles.all["plugins/\(name)/events.ndjson"] }
}
