// Sends events of an app to AppsFlyer with its server-to-server API for mobile apps.
//
// Sent: track, with the event's name as it is and the properties as eventValue; a revenue is also sent as af_revenue.
// Skipped: all other types, and events without an id of AppsFlyer, which its SDK makes on the device. The app puts it into
// integrations.AppsFlyer.appsFlyerId or into context.appsFlyerId. AppsFlyer takes one event in a request, of at most 1 KB:
// when an event is larger, only its revenue and currency are sent. It answers 200 to an app id of iOS without the prefix id,
// and to other events that it does not record.
//
// Read from: https://dev.appsflyer.com/hc/reference/s2s-events-api3-overview and the description of that API
// (s2s-events-api3-post). Not tried against the service.

const MOST_BYTES = 1000;

class AppsFlyer extends Destination {
  static settings = {
    appId: {
      description: "ID of the app: id and digits for iOS, the package for Android",
      required: true, pattern: "^[A-Za-z0-9._-]+$",
    },
  };
  static secrets = { apiKey: { description: "The S2S key of the account", required: true } };
  static hosts = ["api3.appsflyer.com"];

  track(event, settings) {
    const appsFlyerId = text(object(object(event.integrations).AppsFlyer).appsFlyerId) ?? text(object(event.context).appsFlyerId);
    if (!text(event.event) || !appsFlyerId) return null;
    const { revenue, total, currency } = object(event.properties);
    const money = { af_revenue: text(revenue) ?? text(total), af_currency: text(currency) };
    const common = { appsflyer_id: appsFlyerId, ...commonOf(event), eventCurrency: text(currency) };
    const whole = { ...common, eventValue: valueText({ ...plainMembers(object(event.properties)), ...money }) };
    const body = bytes(JSON.stringify(whole)) > MOST_BYTES ? { ...common, eventValue: valueText(money) } : whole;
    return request("POST", `https://api3.appsflyer.com/inappevent/${settings.appId}`, {
      headers: { authentication: secret("apiKey") },
      body,
    });
  }
}

function commonOf(event) {
  const context = object(event.context);
  const app = object(context.app);
  const device = object(context.device);
  const isIos = /^(ios|ipados|tvos)$/i.test(text(device.type) ?? "");
  return {
    eventName: cut(text(event.event), 100),
    eventTime: new Date(millis(event)).toISOString().replace("T", " ").replace("Z", ""),
    customer_user_id: text(event.userId),
    idfa: isIos ? text(device.advertisingId) : undefined,
    idfv: isIos ? text(device.id) : undefined,
    advertising_id: isIos ? undefined : text(device.advertisingId),
    ip: text(context.ip),
    os: text(object(context.os).version),
    app_version_name: text(app.version),
    bundleIdentifier: text(app.namespace),
  };
}

// A value is an object as a text, or an empty text.
function valueText(value) {
  const json = JSON.stringify(value);
  return json === "{}" ? "" : json;
}

// Texts, numbers and booleans, as texts.
function plainMembers(properties) {
  return Object.fromEntries(Object.entries(properties)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .map(([name, value]) => [name, String(value)]));
}

// The bytes of a text, or some more: a letter beyond ASCII counts as three.
function bytes(value) {
  return value.replace(/[^\x00-\x7f]/g, "???").length;
}

// The text with at most so many letters, and without half of a letter at its end.
function cut(value, most) {
  return value.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
