import TributaryJSON

extension Configuration.Values {
    /// Makes anonymous ids, with the app's generator if there is one. No user has a blank id: such an id would make one
    /// user of all.
    func newAnonymousId(report: @escaping @Sendable (Diagnostic) -> Void) -> @Sendable () -> String {
        let own = identifiers.next
        guard let generator = anonymousIdGenerator else { return own }
        return {
            let id = generator()
            guard id.isBlank else { return id }
            report(
                Diagnostic(
                    .configuration, "the generator of anonymous ids returned a blank id; the client makes one itself",
                    reason: .blank))
            return own()
        }
    }
}
