/// A plugin of a destination's timeline that sees an event on the client's executor, before the event is queued for the
/// destination and before other plugins of the timeline see it.
///
/// For plugins that also get calls without an event on the executor. So all of their calls have one order.
package protocol ExecutorPlugin: Plugin {}
