extension Pipeline {
    /// Tells plugins that the app asks for delivery: destinations behind the events that were queued for them. On the
    /// executor. One that counts as stuck is told when it comes back, and not waited for.
    func flushPlugins() -> PluginFlush {
        let flush = PluginFlush(time: time, report: report)
        for entry in timeline.entries {
            if entry.line?.isStuck != true { flush.expect(entry.plugin) }
            if entry.line?.isStuck != true { entry.destination?.timeline.visit { flush.expect($0) } }
        }
        visit { flush.tell($0) }
        return flush
    }
}
