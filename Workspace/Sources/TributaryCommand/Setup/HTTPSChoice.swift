import ArgumentParser

/// How clients connect to a new workspace.
enum HTTPSChoice: String, ExpressibleByArgument, CaseIterable {
    /// Plain http.
    case no
    /// A certificate that the workspace makes, for tests.
    case development
    /// A certificate of the operator.
    case certificate
}
