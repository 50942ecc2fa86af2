/// A plugin of a destination's timeline that sees an event on the client's executor, before the event is queued for the
/// destination and before the other plugins of the timeline see it.
///
/// For plugins whose calls without an event are made on the executor, too: so all of them come in one order.
package protocol ExecutorPlugin: Plugin {}
