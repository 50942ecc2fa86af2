import TributaryJournal

/// The identity with which a write key begins. When several clients start at once, the first one to publish its
/// identity decides for all; later changes are in the queues.
///
/// The file gets its name and all of its bytes in one step. So no client waits, and none finds an incomplete file.
struct FirstIdentity: Sendable {
    static let name = "first-identity"
    /// Enough for a user id and traits from another library.
    private static let largest = JournalLimits.payloadBytes

    let folder: String
    let files: any FileSystem
    let cipher: (any JournalCipher)?

    private var path: String { folder + "/" + Self.name }
    /// There is only one such file, so its epoch is always 0.
    private var seal: (any JournalSeal)? { cipher?.seal(epoch: 0) }
    private static let context = [UInt8](name.utf8)

    /// Returns the identity that applies: an identity that another client has published, or else the proposal. On a
    /// disk that cannot be written it is the proposal.
    /// - Parameter number: the event queue of the proposing client, which no other client has.
    /// - Throws: when another client may have published an identity that cannot be read now.
    func settle(_ proposal: IdentitySnapshot, by number: UInt64) throws(JournalError) -> IdentitySnapshot {
        if let published = try read() { return published }
        do throws(JournalError) {
            guard try !publish(proposal, by: number) else { return proposal }
        } catch let error where error.reason == .unreadable {
            throw error
        } catch {
            return proposal
        }
        return try read() ?? proposal
    }

    /// Deletes the file, because the user must not be known any more. No later client begins with this identity.
    /// - Throws: when a file cannot be deleted.
    func forget() throws(JournalError) {
        do {
            try files.removeFile(path)
        } catch let error where error.reason == .missing {
            return
        }
    }

    /// Returns false when an identity is already published.
    private func publish(_ proposal: IdentitySnapshot, by number: UInt64) throws(JournalError) -> Bool {
        let bytes = try sealed(proposal.encoded)
        let draft = path + "-\(number).new"
        let descriptor = try files.openFile(draft, .replace)
        defer { try? files.removeFile(draft) }
        do {
            defer { files.closeFile(descriptor) }
            try files.writeFile(descriptor, bytes, at: 0)
        }
        return try files.linkFile(draft, to: path)
    }

    private func sealed(_ bytes: [UInt8]) throws(JournalError) -> [UInt8] {
        guard let seal else { return bytes }
        do {
            return try bytes.withUnsafeBytes { try seal.close($0, context: Self.context) }
        } catch {
            throw JournalError(.cipherFailed, "the cipher could not encrypt the identity: \(error)")
        }
    }

    /// Nil when no identity is published, or when it cannot be understood.
    private func read() throws(JournalError) -> IdentitySnapshot? {
        do throws(JournalError) {
            guard var bytes = try KeptFile(path, files).read(Self.largest) else { return nil }
            return opened(&bytes)
        } catch let error where error.reason == .tooLarge {
            return nil
        }
    }

    private func opened(_ bytes: inout [UInt8]) -> IdentitySnapshot? {
        if let seal {
            guard let opened = bytes.withUnsafeBytes({ seal.open($0, context: Self.context) }) else { return nil }
            bytes = opened
        }
        return IdentitySnapshot(bytes).flatMap { $0.info == nil ? nil : $0 }
    }
}
