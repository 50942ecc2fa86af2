import Dispatch
import Foundation

/// Represents a destination of the main actor in the timeline, and waits on the destination's queue for its answers.
///
/// Unchecked because everything is constant except `analytics`, which is set before everything else.
final class MainActorPlugin: DestinationPlugin, @unchecked Sendable {
    let type = PluginType.destination
    let timeline = Timeline()
    let key: String
    let name: String
    weak var analytics: Analytics?
    let destination: any MainActorDestination

    init(_ destination: any MainActorDestination) {
        self.destination = destination
        key = destination.key
        name = String(describing: Swift.type(of: destination))
    }

    /// This need not wait: the main actor runs work in order, so this comes before all other calls.
    func configure(analytics: Analytics) {
        self.analytics = analytics
        Task { @MainActor [destination] in destination.configure(analytics: analytics) }
    }

    func update(settings: Settings, type: UpdateType) { onMain { $0.update(settings: settings, type: type) } }
    func identify(event: IdentifyEvent) -> IdentifyEvent? { onMain { $0.identify(event: event) } }
    func track(event: TrackEvent) -> TrackEvent? { onMain { $0.track(event: event) } }
    func screen(event: ScreenEvent) -> ScreenEvent? { onMain { $0.screen(event: event) } }
    func group(event: GroupEvent) -> GroupEvent? { onMain { $0.group(event: event) } }
    func alias(event: AliasEvent) -> AliasEvent? { onMain { $0.alias(event: event) } }
    func reset() { onMain { $0.reset() } }
    func flush() { onMain { $0.flush() } }
    func shutdown() { onMain { $0.shutdown() } }

    /// Runs work on the main actor and waits for it. That blocks the destination's own queue, which has no other work.
    private func onMain<Answer: Sendable>(
        _ body: @escaping @MainActor @Sendable (any MainActorDestination) -> Answer
    ) -> Answer? {
        let answer = LockBox<Answer?>(nil)
        wait { destination in
            let given = body(destination)
            answer.withLock { $0 = given }
        }
        return answer.withLock { $0 }
    }

    /// Without a type of answers, because the compiler would otherwise make a task for each of them.
    @inline(never)
    private func wait(for body: @escaping @MainActor @Sendable (any MainActorDestination) -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task { @MainActor [destination] in
            body(destination)
            done.signal()
        }
        done.wait()
    }

    private func onMain<Answer: Sendable>(
        _ body: @escaping @MainActor @Sendable (any MainActorDestination) -> Answer?
    ) -> Answer? {
        let answer: Answer?? = onMain { destination -> Answer? in body(destination) }
        return answer ?? nil
    }
}
