// What the customers of the demo's roll-out have before the broken version.
class Discount extends LivePlugin {
    track(event) {
        event.properties.discount = 0;
        return event;
    }
}

analytics.add(new Discount(LivePluginType.enrichment, null));
