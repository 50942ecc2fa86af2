import Measuring

do {
    let job = try Job()
    try job.on("live-plugins", LivePluginBenchmark.run)
    try job.on("live-plugin-guarded", GuardedPluginBenchmark.run)
    try job.on("once", OnceBenchmark.run)
    try job.on("live-plugin-loop", LoopBenchmark.run)
    try job.on("live-plugin-load", LoadBenchmark.run)
    try job.on("live-plugin-replacement", ReplacementBenchmark.run)
    try job.on("script-guard", GuardBenchmark.run)
    try job.on("engine-memory", EngineMemoryBenchmark.run)
    try job.on("signals", SignalBenchmark.run)
    try job.on("health", HealthBenchmark.run)
    try job.on("filters", FilterBenchmark.run)
    job.failUnknown()
} catch {
    fail(error)
}
