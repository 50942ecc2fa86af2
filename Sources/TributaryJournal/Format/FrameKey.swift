/// The values for writing and recognising the frames of one epoch of a journal.
struct FrameKey: Sendable {
    let epoch: UInt64
    /// The checksum of the epoch, with which the checksums of all heads begin.
    let check: CRC32C
    /// Nil when payloads are not encrypted.
    let seal: (any JournalSeal)?
    /// The number of bytes that a frame of this journal is longer than a plain one.
    let overhead: Int

    init(epoch: UInt64, cipher: (any JournalCipher)? = nil) {
        self.epoch = epoch
        var check = CRC32C()
        check.update(epoch)
        self.check = check
        seal = cipher?.seal(epoch: epoch)
        overhead = seal?.overhead ?? 0
    }

    /// The context of an encrypted payload. A payload at another place, or in another kind of record, cannot be
    /// decrypted.
    func context(_ kind: Frame.Kind, _ sequence: UInt64, tag: JournalTag?) -> [UInt8] {
        var context: [UInt8] = []
        context.reserveCapacity(48)
        context.append(littleEndian: epoch)
        context.append(littleEndian: sequence)
        context.append(kind.rawValue)
        context.append(tag == nil ? 0 : 1)
        if let tag {
            for number in [tag.log, tag.epoch, tag.sequence] { context.append(littleEndian: number) }
        }
        return context
    }
}
