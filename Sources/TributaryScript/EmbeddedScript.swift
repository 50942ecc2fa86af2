package import CTributaryScripts

/// A JavaScript file that is part of the program.
package struct EmbeddedScript: Sendable {
    package let name: String
    package let source: String

    /// Reads a list of `CTributaryScripts`.
    package static func all(of list: (UnsafeMutablePointer<Int>) -> UnsafePointer<tributary_script>) -> [EmbeddedScript]
    {
        var count = 0
        let scripts = list(&count)
        return UnsafeBufferPointer(start: scripts, count: count).map(EmbeddedScript.init)
    }

    /// Reads a script of `CTributaryScripts`.
    package init(_ script: tributary_script) {
        name = String(cString: script.name)
        source = String(cString: script.text)
    }

    /// The scripts of the sandbox, in the order in which they run.
    static let sandbox = all(of: tributary_sandbox_scripts)
}
