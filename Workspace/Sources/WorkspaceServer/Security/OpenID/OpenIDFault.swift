/// Why a login with the provider did not succeed.
enum OpenIDFault: Error, Equatable {
    /// The provider is away, or answers something else.
    case provider(String)
    /// Its token is not accepted.
    case token(String)
    /// The request is not the end of a login that this browser began.
    case attempt(String)
    /// The person has no role here.
    case noRole(String)

    /// For the page.
    var text: String {
        switch self {
        case .provider(let reason): "The login service cannot be used now: \(reason)."
        case .token(let reason): "The token of the login service is not accepted: \(reason)."
        case .attempt(let reason): "This login was not finished: \(reason). Begin again."
        case .noRole(let name): "\(name) has no role in this workspace. An administrator of the workspace gives roles."
        }
    }
}
