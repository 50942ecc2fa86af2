import ArgumentParser

/// How a file that is there already may be replaced.
struct OverwriteOptions: ParsableArguments {
    @Flag(help: "Replace a file that is there already without a question.")
    var overwrite = false

    /// Returns when no file is lost, or when it may be.
    /// - Parameters:
    ///   - files: the files that would be replaced or deleted.
    ///   - ask: asks a person; nil when there is none.
    func confirm(_ files: [String], ask: (String) -> Bool? = Question.confirms) throws(Failure) {
        guard !overwrite, !files.isEmpty else { return }
        let what = "\(files.map(\.printable).joined(separator: ", ")) \(files.count == 1 ? "is" : "are") there already"
        switch ask("\(what). Replace \(files.count == 1 ? "it" : "them")?") {
        case true?: return
        case false?: throw Failure("nothing was written")
        case nil:
            throw Failure(
                "\(what), and nothing was written; add --overwrite to replace \(files.count == 1 ? "it" : "them")")
        }
    }
}
