extension Pipeline {
    /// Tells plugins that the app asks for delivery: destinations behind the events that were queued for them. On the
    /// executor. One that counts as stuck is told when it comes back, and not waited for.
    func flushPlugins() -> PluginFlush {
        let flush = PluginFlush(time: time, report: report)
        for entry in timeline.begun where entry.queue?.isStuck != true {
            flush.expect(entry.plugin)
            // Not when it is free: the executor waits for no plugin of a destination.
            for inner in entry.destination?.timeline.begun ?? [] { flush.expect(inner.plugin) }
        }
        visit { flush.tell($0) }
        return flush
    }
}
