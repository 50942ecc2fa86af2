import Foundation
import TributaryJSON

// Calls that wait until the disk can be read. After a restart, a device may start apps before the user unlocks it. The
// system refuses to open their files until then.
extension Analytics {
    /// The id and the time of a call. The call itself may be made later.
    struct CallStamp: Sendable {
        let messageId: String
        let milliseconds: Int64
    }

    /// The id and the time of a call at this moment.
    var stamp: CallStamp { CallStamp(messageId: newMessageId(), milliseconds: values.time.milliseconds) }

    /// Makes a message id. While a plugin processes an event, the id is derived from that event, so a replay makes the
    /// same id.
    func newMessageId() -> String { pipeline.executor.derivedId() ?? values.identifiers.next() }

    /// Keeps a call until the disk can be read.
    /// - Parameter call: evaluated only when the client waits for the disk.
    /// - Returns: false when the caller has to make the call now.
    func holds(_ call: @autoclosure () -> HeldCalls.Call) -> Bool { held.isHolding && held.hold(call()) }

    /// Does work once the disk can be read, before the first event is processed. The disk can nearly always be read
    /// now.
    func whenReadable(_ work: @escaping HeldCalls.Work) {
        if !holds(.init(other: work)) { work(self) }
    }

    /// A small file of that name in this client's folder; nil for a client in memory.
    package func keptFile(_ name: String) -> KeptFile? { eventQueue.directory.keptFile(name) }

    /// The folder of this client's small files; nil for a client in memory.
    package var keptFolder: KeptFolder? { eventQueue.directory.keptFolder }

    // MARK: The start

    /// Starts with the data that was read from disk.
    func start(_ beginning: StartFacts) {
        if let migrator = beginning.migrator, let inheritance = beginning.inheritance {
            carryOver(inheritance, with: migrator)
        }
        writer.open()
        settingsLoader.start()
    }

    /// Tries again until the disk can be read.
    func waitForDisk() {
        report(
            Diagnostic(
                .storage, "the disk cannot be read, so calls wait in memory until it is known who the user is",
                reason: .init(held.failure.map(StorageState.Reason.init) ?? .failure)))
        ProtectedData.whenAvailable { [weak self] in
            self?.pipeline.executor.perform { [weak self] in self?.lookAtDisk() }
        }
        scheduleLook(since: values.time.uptime)
    }

    private func scheduleLook(_ number: Int = 0, since start: TimeInterval) {
        values.time.schedule(after: Limits.looks.pause(after: number), on: pipeline.executor.queue) { [weak self] in
            guard let self, held.isWaiting else { return }
            if let patience = values.unlockPatience, values.time.uptime - start >= patience {
                lookAtDisk(isLast: true)
            } else {
                lookAtDisk()
                scheduleLook(number + 1, since: start)
            }
        }
    }

    /// Tries to read the disk. Runs on the executor.
    private func lookAtDisk(isLast: Bool = false) {
        guard held.isWaiting else { return }
        eventQueue.check()
        let shown = identity.current.anonymousId
        do {
            begin(try StartFacts(eventQueue, writer, values) { shown })
        } catch {
            guard isLast else { return }
            report(Diagnostic(.storage, "the disk cannot be read, the client goes on in memory: \(error)"))
            begin(StartFacts(without: eventQueue, writer, UserInfo(anonymousId: shown)))
        }
    }

    private func begin(_ beginning: StartFacts) {
        inheritedApplication.withLock { $0 = beginning.inheritance?.application }
        identity.settle(beginning.user)
        if !writer.record.categories.isEmpty { addConsentGate() }
        if writer.isMoving { movePending(nil) }
        lose(held.open(self))
        start(beginning)
        if !eventQueue.isProcessed { pipeline.turns.barrier { [eventQueue] in eventQueue.uploader.demand() } }
        pipeline.turns.wake()
    }

    /// Counts and reports events that were lost because the disk could not be read.
    func lose(_ count: Int) {
        guard count > 0 else { return }
        counterStore.count { counters in
            counters.tracked += count
            counters.lost["memory_full", default: 0] += count
        }
        report(
            Diagnostic(
                .eventDropped, "events that waited in memory for the disk are lost", reason: .memoryFull, count: count))
    }
}

extension Result {
    /// The error of the result; nil for a success.
    var failure: Failure? {
        if case .failure(let failure) = self { return failure }
        return nil
    }
}
