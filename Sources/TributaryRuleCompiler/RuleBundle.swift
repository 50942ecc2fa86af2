import TributaryRules

/// A bundle with its data: the script, and in a first line what clients run in place of it.
///
/// The line is a comment. A client that knows no data runs the script.
package struct RuleBundle: Sendable {
    /// The text to deploy: the script with a first line, or the script alone when it does not become data.
    package let text: String
    /// The program, or the reasons why there is none.
    package let compilation: RuleCompilation

    /// - Parameter bundle: a script. A first line with data is made anew.
    package init(_ bundle: String) {
        let script = String(RuleProgram.parts(of: bundle).script)
        compilation = RuleCompiler.compile(script)
        text = (compilation.program?.line ?? "") + script
    }

    /// Whether the bundle has a first line with data.
    package static func hasData(_ bundle: String) -> Bool { RuleProgram.parts(of: bundle).data != nil }

    /// Whether the data of a bundle is what its script becomes. A bundle without data has none to be wrong.
    package static func isFaithful(_ bundle: String) -> Bool {
        guard hasData(bundle) else { return true }
        return RuleBundle(bundle).text.utf8.elementsEqual(bundle.utf8)
    }
}
