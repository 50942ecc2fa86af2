/// Hands a flush policy from the configuration to its client, which is the only one to call it.
///
/// Unchecked because nothing is done with the policy here.
struct HandedFlushPolicy: @unchecked Sendable {
    let policy: any FlushPolicy
}
