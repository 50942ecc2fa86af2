// Sends events of an app to Adjust with its server-to-server API for events.
//
// Sent: track, for the events that have a token in Adjust. The setting eventTokens lists them: "Order Completed=abc123, Signed
// Up=def456". Skipped: other events, other types, and events without an id of a device.
// The properties are sent as callback_params. How Adjust finds duplicates was not in the documentation that was read.
//
// Read from: https://dev.adjust.com/en/api/s2s-api/events/ and, for the authorization and the names of revenue, currency,
// environment, ip_address and callback_params, from https://www.revenuecat.com/docs/integrations/attribution/reference/adjust.
// Not tried against the service.

class Adjust extends Destination {
  static settings = {
    appToken: { description: "Token of the app", required: true, pattern: "^[a-z0-9]+$" },
    eventTokens: { description: "Names of events and their tokens: Order Completed=abc123, Signed Up=def456", required: true },
    environment: { description: "production or sandbox", pattern: "^(production|sandbox)$", default: "production" },
  };
  static secrets = { accessToken: { description: "Token of S2S Security, made in Adjust", required: true } };
  static hosts = ["s2s.adjust.com"];

  track(event, settings) {
    const token = tokensOf(settings.eventTokens).get(text(event.event));
    const device = deviceOf(event);
    if (!token || !device) return null;
    const properties = object(event.properties);
    const revenue = [properties.revenue, properties.total].find((amount) => typeof amount === "number");
    const currency = text(properties.currency);
    const parameters = plainMembers({ user_id: text(event.userId), ...properties });
    return request("POST", "https://s2s.adjust.com/event", {
      headers: { Authorization: bearer(secret("accessToken")) },
      form: {
        s2s: 1,
        app_token: settings.appToken,
        event_token: token,
        environment: settings.environment,
        created_at_unix: seconds(event),
        ...device,
        ...address(event),
        ...(revenue !== undefined && currency ? { revenue, currency } : {}),
        callback_params: JSON.stringify(parameters),
      },
    });
  }
}

function tokensOf(list) {
  return new Map(list.split(",").map((entry) => {
    const parts = entry.split("=").map((part) => part.trim());
    if (parts.length !== 2 || parts.includes("")) throw new Error(`eventTokens: "${entry.trim()}" is not NAME=TOKEN`);
    return parts;
  }));
}

// The ids of the device that the event has, or undefined.
function deviceOf(event) {
  const context = object(event.context);
  const device = object(context.device);
  const adid = text(object(object(event.integrations).Adjust).adid) ?? text(context.adjustId);
  const isIos = /^(ios|ipados|tvos)$/i.test(text(device.type) ?? "");
  const advertising = text(device.advertisingId);
  const ids = Object.entries({
    adid,
    idfa: isIos ? advertising : undefined,
    idfv: isIos ? text(device.id)?.toUpperCase() : undefined,
    gps_adid: isIos ? undefined : advertising,
  }).filter(([, id]) => id);
  return ids.length > 0 ? Object.fromEntries(ids) : undefined;
}

function address(event) {
  const ip = text(object(event.context).ip);
  return ip ? { ip_address: ip } : {};
}

// Texts, numbers and booleans, as texts.
function plainMembers(properties) {
  return Object.fromEntries(Object.entries(properties)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .map(([name, value]) => [name, String(value)]));
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
