import WorkspaceCore

/// Sends the events of a part of the users by the new settings of a function, and all others by the settings before.
struct StagedConnection: DestinationConnection {
    let share: PartitionShare
    let new: any DestinationConnection
    let before: any DestinationConnection

    var parallelRequests: Int { max(new.parallelRequests, before.parallelRequests) }

    func send(_ event: ForwardedEvent) async -> ForwardingAnswer {
        await (share.contains(event.partition) ? new : before).send(event)
    }

    func test(_ event: ForwardedEvent) async -> ForwardingAnswer { await new.test(event) }
}
