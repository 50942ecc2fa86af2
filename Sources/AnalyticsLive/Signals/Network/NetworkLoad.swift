/// Carries a captured request to the server, and its answer to the session that it is of.
protocol NetworkLoad: AnyObject {
    /// Begins, or goes on after a pause.
    func start()
    /// Pauses, or ends, as the task's state says.
    func stop()
}
