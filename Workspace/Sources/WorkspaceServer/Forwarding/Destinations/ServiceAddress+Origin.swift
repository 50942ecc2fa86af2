import WorkspaceCore

extension ServiceAddress {
    /// The address of a server as a setting has it: scheme, host and perhaps port.
    /// - Parameter name: of the setting.
    /// - Throws: `Refusal` for an address with more than that.
    static func origin(_ name: String, _ text: String) throws(Refusal) -> ServiceAddress {
        guard text.utf8.count <= Limits.urlBytes else {
            throw .invalid("the \(name) has at most \(Limits.urlBytes) bytes")
        }
        let onlyHost = "the \(name) is only https:// or http://, a host and perhaps a port"
        guard !text.contains("@"), !text.contains("#") else { throw .invalid(onlyHost) }
        let address: ServiceAddress
        do throws(ServiceAddress.Problem) {
            address = try ServiceAddress(text)
        } catch {
            throw .invalid(error.description)
        }
        guard ["", "/"].contains(address.target) else { throw .invalid(onlyHost) }
        return address.with(target: "")
    }
}
