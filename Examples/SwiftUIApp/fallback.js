// The plugins that the app has before the workspace has sent others. See docs/guides/live-plugins.md.

class Currency extends LivePlugin {
    track(event) {
        if (event.event === "Product Added") event.properties.currency = "EUR";
        return event;
    }
}

analytics.add(new Currency(LivePluginType.enrichment, null));
