extension Verdict {
    /// Where clients were killed, and what the server did.
    var details: String {
        var lines = ["kills at each step (before, halfway, after; step not reached):"]
        for step in Step.allCases {
            let counts = StepSide.allCases.map { kills[KillPoint(step: step, side: $0, nth: 0)] ?? 0 }
            let cells = counts.map { Self.right("\($0)", 5) }.joined()
            lines.append(Self.left("  " + step.rawValue, 38) + cells + Self.right("\(missed[step] ?? 0)", 7))
        }
        lines.append("  at a random moment: \(randomKills)")
        let answers = Fault.allCases.map { "\($0.rawValue) \(faults[$0] ?? 0)" }.joined(separator: ", ")
        lines.append("batches by what the server did: \(answers)")
        lines.append(
            "in memory only when the process died: \(memoryOnly), purged: \(purged), "
                + "sent more than once under one id: \(repetitions)")
        if unexpected + undurable + misbehaved > 0 {
            lines.append("unexpected=\(unexpected) undurable=\(undurable) misbehaved=\(misbehaved)")
        }
        return lines.joined(separator: "\n")
    }

    var summary: String {
        "crash-test: rounds=\(rounds) acknowledged=\(acknowledged) lost=\(lost) "
            + "duplicated_after_dedup=\(duplicated) reordered=\(reordered)"
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
