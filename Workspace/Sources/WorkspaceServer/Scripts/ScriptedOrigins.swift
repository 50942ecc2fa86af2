/// Where the events of a request come from that went through scripts.
package struct ScriptedOrigins: Sendable, Equatable {
    package struct Origin: Sendable, Equatable {
        /// The index of the event in the request as it came.
        package let event: Int
        /// 0 for that event itself, 1 for the first event that scripts made because of it.
        package let made: Int

        package init(event: Int, made: Int = 0) { (self.event, self.made) = (event, made) }
    }

    /// One for each event of the batch.
    package var events: [Origin] = []
    /// One for each rejected event that scripts made. In the batch these are the last rejected events.
    package var rejected: [Origin] = []

    package init(events: [Origin] = [], rejected: [Origin] = []) { (self.events, self.rejected) = (events, rejected) }
}
