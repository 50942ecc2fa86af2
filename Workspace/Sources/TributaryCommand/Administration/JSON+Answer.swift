import TributaryJSON

/// The parts that every answer of a workspace has. An answer without them comes from another program, such as a proxy.
extension JSON {
    func list(_ name: String) throws(Failure) -> [JSON] { try expected(self[name]?.elements) }
    func number(_ name: String) throws(Failure) -> Int { try expected(self[name]?.intValue) }
    func text(_ name: String) throws(Failure) -> String { try expected(self[name]?.stringValue) }
    func flag(_ name: String) throws(Failure) -> Bool { try expected(self[name]?.boolValue) }
    func object(_ name: String) throws(Failure) -> JSONObject { try expected(self[name]?.objectValue) }

    /// A part of the answer that has to be there.
    func expected<Part>(_ part: Part?) throws(Failure) -> Part {
        guard let part else { throw Failure("the server's answer is not that of a workspace: \(self)") }
        return part
    }
}
