import TributaryJSON
package import TributaryRules

/// The result of an attempt to make data of a script.
package struct RuleCompilation: Sendable {
    /// A part of the script that does not become data, with the reason.
    package struct Problem: Sendable, Hashable {
        /// The class of the plugin that needs the part; nil when it concerns the whole script.
        package let plugin: String?
        /// The line in the script, from 1.
        package let line: Int
        /// The character in the line, from 1.
        package let column: Int
        /// Why it does not become data, in plain words.
        package let reason: String
    }

    /// The classes of the plugins that the script adds, in their order.
    package let plugins: [String]
    /// In the order of the script; empty when all of it is data.
    package let problems: [Problem]
    /// The program; nil when there are problems.
    package let program: RuleProgram?

    /// Whether all of the script became data.
    package var isData: Bool { program != nil }

    /// Whether a plugin alone could become data.
    package func isData(plugin: String) -> Bool {
        plugins.contains(plugin) && !problems.contains { $0.plugin == plugin }
    }
}

/// Makes data of live plugins: a program for the common part of the JavaScript that people write in them.
package enum RuleCompiler {
    /// Compiles a script of live plugins. The script itself does not change, and never runs here.
    ///
    /// - Parameter script: the script of a bundle, without tables.
    /// - Returns: the program, or every reason why there is none.
    package static func compile(_ script: String) -> RuleCompilation {
        let builder = ProgramBuilder()
        do throws(Refusal) {
            builder.read(try RuleParser.statements(of: script))
        } catch {
            builder.refuse(error, plugin: nil)
        }
        let places = ScriptPlaces(script)
        var problems: [RuleCompilation.Problem] = []
        for (refusal, plugin) in builder.refusals.sorted(by: { $0.refusal.position < $1.refusal.position }) {
            let place = places.place(of: refusal.position)
            let problem = RuleCompilation.Problem(
                plugin: plugin, line: place.line, column: place.column, reason: refusal.reason)
            if !problems.contains(problem) { problems.append(problem) }
        }
        var program: RuleProgram?
        if problems.isEmpty {
            do throws(RuleProgramError) {
                // The checks of a client, so that nothing is deployed that a client would refuse.
                program = try RuleProgram(text: builder.program(places).json.description)
            } catch {
                problems.append(.init(plugin: nil, line: 1, column: 1, reason: error.description))
            }
        }
        return RuleCompilation(plugins: builder.plugins.map(\.name), problems: problems, program: program)
    }
}

/// Lines and columns of offsets in a script.
struct ScriptPlaces {
    private let bytes: [UInt8]
    private let starts: [Int]

    init(_ script: String) {
        let bytes = Array(script.utf8)
        self.bytes = bytes
        starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    func place(of offset: Int) -> (line: Int, column: Int) {
        let line = line(of: offset)
        let before = bytes[starts[line - 1]..<max(starts[line - 1], min(offset, bytes.count))]
        return (line, String(decoding: before, as: UTF8.self).count + 1)
    }

    func line(of offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }
}
