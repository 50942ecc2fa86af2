// A broken version: it throws at one event name in twenty. The demo deploys it with a plan, and the workspace takes it
// back.
class Discount extends LivePlugin {
    track(event) {
        if (event.event === "Event 7") throw new Error("no price");
        event.properties.discount = 0;
        return event;
    }
}

analytics.add(new Discount(LivePluginType.enrichment, null));
