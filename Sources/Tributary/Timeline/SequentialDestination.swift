/// A destination that shares one order with all others of this kind: each call reaches them one after the other, in the
/// order in which they were added, before the next call reaches any.
///
/// A destination that is stuck, or so slow that its queue is full, does not hold up the others. It gets its calls on
/// its own until it has caught up.
package protocol SequentialDestination: DestinationPlugin {}
