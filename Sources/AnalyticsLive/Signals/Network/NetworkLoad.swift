/// Sends a captured request, and passes the answer to its session.
protocol NetworkLoad: AnyObject {
    /// Begins, or continues after a pause.
    func start()
    /// Pauses or ends, depending on the state of the task.
    func stop()
}
