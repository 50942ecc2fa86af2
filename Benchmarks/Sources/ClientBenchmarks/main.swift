import Measuring

do {
    let job = try Job()
    try job.on("track", TrackBenchmark.run)
    try job.on("throughput", ThroughputBenchmark.run)
    try job.on("once", ThroughputBenchmark.runOnce)
    try job.on("plugins", PluginBenchmark.run)
    try job.on("destinations", DestinationBenchmark.run)
    try job.on("cold-start", ColdStartBenchmark.run)
    try job.on("cold-start-bare", ColdStartBenchmark.runBare)
    try job.on("survival-track", SurvivalBenchmark.track)
    try job.on("survival-deliver", SurvivalBenchmark.deliver)
    try job.on("delivery-fill", DeliveryBenchmark.fill)
    try job.on("delivery", DeliveryBenchmark.run)
    try job.on("delivery-bare", DeliveryBenchmark.runBare)
    try job.on("waiting-fill", WaitingBenchmark.fill)
    try job.on("waiting", WaitingBenchmark.run)
    try job.on("energy", EnergyBenchmark.run)
    try job.on("energy-push", PushBenchmark.run)
    try job.on("energy-rest", EnergyBenchmark.runRest)
    try job.on("energy-rest-bare", EnergyBenchmark.runBareRest)
    job.failUnknown()
} catch {
    fail(error)
}
