/// Passes a flush policy from the configuration to its client.
///
/// Unchecked because only the client calls the policy; this type does nothing with it.
struct HandedFlushPolicy: @unchecked Sendable {
    let policy: any FlushPolicy
}
