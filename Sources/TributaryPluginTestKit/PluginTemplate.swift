import CTributaryScripts

/// The files of a new bundle of live plugins.
public enum PluginTemplate {
    /// The TypeScript declarations of everything that scripts can use.
    public static var declarations: String { String(cString: tributary_live_plugin_types()) }

    /// The script of a new bundle.
    /// - Parameter name: the name of its class; a JavaScript identifier.
    public static func script(name: String) -> String {
        """
        /// <reference path="liveplugins.d.ts" />

        // Sees every track event among the enrichment plugins, and may change or drop it.
        // Try it:  tributary plugin test plugin.js --events events.ndjson
        class \(name) extends LivePlugin {
            track(event) {
                if (event.event === "Product Viewed") {
                    event.properties.product_id = event.properties.product_did
                    delete event.properties.product_did
                }
                return event // null drops the event
            }
        }

        analytics.add(new \(name)(LivePluginType.enrichment, null))

        """
    }

    /// Recorded events to try the script with, one on each line.
    public static let events = """
        {"type":"track","event":"Product Viewed","messageId":"m-1","userId":"u-1","properties":{"product_did":"p-7","price":9.5}}
        {"type":"identify","messageId":"m-2","userId":"u-1","traits":{"plan":"pro"}}

        """

    /// The configuration with which editors check the script.
    public static let configuration = """
        {
            "compilerOptions": {
                "checkJs": true,
                "strict": false,
                "target": "es2022",
                "lib": ["es2022"],
                "types": []
            },
            "files": ["plugin.js", "liveplugins.d.ts"]
        }

        """
}
