/// The values with which the frames of one life of a journal are written and recognised.
struct FrameKey: Sendable {
    let epoch: UInt64
    /// The checksum of the epoch, which all heads start from.
    let check: CRC32C
    /// Nil where payloads are stored as they are.
    let seal: (any JournalSeal)?
    /// Bytes by which a frame of this journal is longer than a plain one.
    let overhead: Int

    init(epoch: UInt64, cipher: (any JournalCipher)? = nil) {
        self.epoch = epoch
        var check = CRC32C()
        check.update(epoch)
        self.check = check
        seal = cipher?.seal(epoch: epoch)
        overhead = seal?.overhead ?? 0
    }

    /// The context of an encrypted payload: at another place, or as another kind of record, it cannot be opened.
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
