import TributaryJournal

/// The identity with which a write key begins. Of several clients that start at once, the first to publish its own decides
/// for all; later changes stand in the queues.
///
/// The file gets its name and all of its bytes in one step, so nobody waits and nobody finds half of it.
struct FirstIdentity: Sendable {
    static let name = "first-identity"
    /// Enough for a user id and traits that another library left.
    private static let largest = JournalLimits.payloadBytes

    let folder: String
    let files: any FileSystem
    let cipher: (any JournalCipher)?

    private var path: String { folder + "/" + Self.name }
    /// There is one file, so there is one life of it.
    private var seal: (any JournalSeal)? { cipher?.seal(epoch: 0) }
    private static let context = [UInt8](name.utf8)

    /// What holds from now on: the proposal, or what somebody else has published. On a disk that cannot be written it is
    /// the proposal.
    /// - Parameter number: the event queue of the client that proposes, which nobody else has.
    /// - Throws: when somebody else may have published one that cannot be read now.
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

    /// The user is not to be known any more, so nobody begins with that again.
    /// - Throws: when there is a file that stays.
    func forget() throws(JournalError) {
        do {
            try files.removeFile(path)
        } catch let error where error.reason == .missing {
            return
        }
    }

    /// False when there is one already.
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
            throw JournalError(.cipherFailed, "the cipher could not seal who the user is: \(error)")
        }
    }

    /// Nil when nobody has published one, or none that can be understood.
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
