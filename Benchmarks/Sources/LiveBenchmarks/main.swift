import Measuring

do {
    let job = try Job()
    try job.on("live-plugins", LivePluginBenchmark.run)
    try job.on("engine-memory", EngineMemoryBenchmark.run)
    try job.on("filters", FilterBenchmark.run)
    job.failUnknown()
} catch {
    fail(error)
}
