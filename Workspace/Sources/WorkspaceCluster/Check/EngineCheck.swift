package import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// The findings of a check of all engines.
package struct EngineCheck: Sendable, Equatable {
    package let findings: [CheckFinding]

    package init(_ findings: [CheckFinding]) { self.findings = findings }

    /// Whether all findings are fine.
    package var isFine: Bool { findings.allSatisfy { $0.verdict == .fine } }

    /// The findings with which a node must not start.
    package var wrong: [CheckFinding] { findings.filter { $0.verdict == .wrong } }

    /// The findings that an operator should know.
    package var noted: [CheckFinding] { findings.filter { $0.verdict == .warning || $0.verdict == .unseen } }

    package var json: JSON {
        [
            "fine": .bool(isFine),
            "findings": .array(
                findings.map { finding in
                    [
                        "engine": .string(finding.engine.rawValue), "place": .string(finding.place),
                        "setting": .string(finding.setting), "found": .string(finding.found),
                        "verdict": .string(finding.verdict.rawValue), "advice": .string(finding.advice),
                    ]
                }),
        ]
    }
}

extension CheckFinding {
    /// The finding as a sentence.
    package var sentence: String { "\(engine.rawValue), \(place), \(setting): \(found); \(advice)" }
}
