// The shop's live plugins, version 2: deployed while the shop is open. New is SizeClass.

// An old product screen tells the id of its product under a wrong name.
class FixProductViewed extends LivePlugin {
    track(event) {
        const properties = event.properties;
        if (properties && properties.product_did !== undefined) {
            properties.product_id = properties.product_did;
            delete properties.product_did;
        }
        return event;
    }
}

// Keeps out what no customer did: pings, testers, robots, changes that change nothing.
//
// Who is a tester or a robot is said once, by an identify. The names are kept in the storage, so that the next version
// of this bundle knows them too.
class DropTestTraffic extends LivePlugin {
    constructor(type, destination) {
        super(type, destination);
        this.outsiders = new Set(storage.getValue("outsiders") ?? []);
    }

    process(event) {
        if (event.type === "identify") this.meet(event);
        if (this.outsiders.has(event.userId) || this.isNoise(event)) return null;
        return event;
    }

    meet(event) {
        const traits = event.traits ?? {};
        const isTester = typeof traits.email === "string" && traits.email.endsWith("@example.test");
        if ((isTester || traits.automated === true) && !this.outsiders.has(event.userId)) {
            this.outsiders.add(event.userId);
            storage.setValue("outsiders", [...this.outsiders]);
        }
    }

    isNoise(event) {
        if (event.event === "Debug Ping") return true;
        return event.event === "Change Committed" && event.properties?.files === 0;
    }
}

// Sorts orders by their pieces and changes by their lines, so that nobody has to do it in every report.
class SizeClass extends LivePlugin {
    track(event) {
        const properties = event.properties;
        if (event.event === "Order Completed") {
            const pieces = properties.products.reduce((sum, product) => sum + product.quantity, 0);
            properties.size_class = pieces < 3 ? "small" : pieces < 10 ? "medium" : "large";
        } else if (event.event === "Change Committed") {
            const lines = properties.insertions + properties.deletions;
            properties.size_class = lines < 10 ? "small" : lines < 100 ? "medium" : "large";
        }
        return event;
    }
}

// Says which version of these plugins saw an event.
class StampVersion extends LivePlugin {
    process(event) {
        event.context = { ...event.context, livePlugin: { version: "2" } };
        return event;
    }
}

analytics.add(new DropTestTraffic(LivePluginType.before, null));
analytics.add(new FixProductViewed(LivePluginType.enrichment, null));
analytics.add(new SizeClass(LivePluginType.enrichment, null));
analytics.add(new StampVersion(LivePluginType.enrichment, null));
