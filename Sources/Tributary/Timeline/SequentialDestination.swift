/// A destination that takes turns with all others of the client that are of this kind: each call reaches them in the
/// order in which they were added, one after the other, before the next call reaches any.
///
/// One that is stuck, or so slow that its queue is full, holds up the others no longer; it gets its calls by itself until
/// it has caught up.
package protocol SequentialDestination: DestinationPlugin {}
