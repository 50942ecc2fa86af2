import Dispatch

extension Pipeline {
    func onReady(_ handler: @escaping @Sendable () -> Void) {
        perform { [self] in
            readyHandlers.append(handler)
            if isRunning { tellReady() }
        }
    }

    func onReady(_ key: String, _ handler: @escaping @Sendable (any DestinationPlugin) -> Void) {
        perform { [self] in
            destinationHandlers.append((key, handler))
            tellReadyDestinations()
        }
    }

    /// Calls back when events are processed, or when the client ends without that.
    func onReadyOrEnd(_ handler: @escaping @Sendable () -> Void) {
        perform { [self] in
            guard !isConcluded else { return handler() }
            let once = Once<Void> { _ in handler() }
            endHandlers.append { once.call(()) }
            readyHandlers.append { once.call(()) }
            if isRunning { tellReady() }
        }
    }

    /// Destinations have the settings in their queues; what comes behind comes after them.
    func tellReady() {
        let handlers = readyHandlers
        readyHandlers = []
        guard !handlers.isEmpty else { return }
        settle {
            DispatchQueue.global().async { for handler in handlers { handler() } }
        }
    }

    func tellReadyDestinations() {
        guard start.hasSettings, !destinationHandlers.isEmpty else { return }
        let running = timeline.snapshot.deviceDestinations.filter { entry in
            entry.destination.map { runner.isEnabled($0, entry.key) } ?? false
        }
        destinationHandlers.removeAll { key, handler in
            guard let queue = running.first(where: { $0.key == key })?.queue else { return false }
            queue.call { plugin in if let destination = plugin as? any DestinationPlugin { handler(destination) } }
            return true
        }
    }
}
