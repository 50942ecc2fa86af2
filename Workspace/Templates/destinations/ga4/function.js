// Sends events to Google Analytics 4 with the Measurement Protocol, into a web stream.
//
// Sent: track, page and screen as events, and group as join_group. Names of the shop become the names that the service
// knows. Skipped: identify and alias, because the protocol has no request without an event, and events without any id.
// The anonymousId is sent as client_id. The service joins the events with those of its own tag only when it is the tag's id.
// To count a user as active, it needs session_id and engagement_time_msec: put them into the properties of events.
// It answers 2xx to each request, even if it drops the event, and takes events of the last 72 hours.
//
// Read from: https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference,
// https://developers.google.com/analytics/devguides/collection/protocol/ga4/sending-events and, for the limits,
// https://support.google.com/analytics/answer/9267744. Not tried against the service.

const EVENT_NAMES = new Map([
  ["Order Completed", "purchase"], ["Order Refunded", "refund"], ["Checkout Started", "begin_checkout"],
  ["Payment Info Entered", "add_payment_info"], ["Product Viewed", "view_item"], ["Product Clicked", "select_item"],
  ["Product List Viewed", "view_item_list"], ["Product Added", "add_to_cart"], ["Product Removed", "remove_from_cart"],
  ["Product Added to Wishlist", "add_to_wishlist"], ["Cart Viewed", "view_cart"], ["Products Searched", "search"],
  ["Signed Up", "sign_up"], ["Signed In", "login"],
]);

class GoogleAnalytics4 extends Destination {
  static settings = {
    measurementId: { description: "Measurement ID of the web stream", required: true, pattern: "^G-[A-Z0-9]+$" },
    region: { description: "us, or eu to process events in the European Union", pattern: "^(us|eu)$", default: "us" },
  };
  static secrets = { apiSecret: { description: "API secret of the stream, made under Measurement Protocol", required: true } };
  static hosts = ["www.google-analytics.com", "region1.google-analytics.com"];

  track(event, settings) {
    const name = text(event.event);
    if (!name) return null;
    const known = EVENT_NAMES.get(name);
    return send(event, known ?? cleanName(name), known ? orderOf(object(event.properties)) : {}, settings);
  }

  page(event, settings) {
    return send(event, "page_view", {}, settings);
  }

  screen(event, settings) {
    return send(event, "view_screen", { screen_name: text(event.name) }, settings);
  }

  group(event, settings) {
    return send(event, "join_group", { group_id: text(event.groupId) }, settings);
  }
}

// Makes the request for one event. A request has one client, so events of several clients cannot go together.
function send(event, name, special, settings) {
  const client = text(event.anonymousId) ?? text(event.userId);
  if (!client) return null;
  const page = object(object(event.context).page);
  const properties = object(event.properties);
  const host = settings.region === "eu" ? "region1.google-analytics.com" : "www.google-analytics.com";
  return request("POST", `https://${host}/mp/collect?measurement_id=${settings.measurementId}&api_secret=${secret("apiSecret")}`, {
    body: {
      client_id: client,
      user_id: text(event.userId),
      timestamp_micros: millis(event) * 1000,
      events: [{
        name,
        params: {
          ...parametersOf(properties),
          page_location: text(properties.url) ?? text(page.url),
          page_title: text(properties.title) ?? text(page.title),
          page_referrer: text(properties.referrer) ?? text(page.referrer),
          ...special,
        },
      }],
    },
  });
}

// The properties that are texts, numbers or booleans. An event has at most 25 parameters, with texts of 100 letters.
function parametersOf(properties) {
  return Object.fromEntries(Object.entries(properties)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .slice(0, 15)
    .map(([name, value]) => [cleanName(name), typeof value === "number" ? value : cut(String(value), 100)]));
}

function orderOf(properties) {
  const products = Array.isArray(properties.products) ? properties.products : [properties];
  const items = products.map(object).filter((product) => text(product.product_id) ?? text(product.sku) ?? text(product.name));
  return {
    transaction_id: text(properties.order_id),
    value: number(properties.revenue) ?? number(properties.total) ?? number(properties.value),
    search_term: text(properties.query),
    items: items.length === 0 ? undefined : items.slice(0, 200).map((product) => ({
      item_id: text(product.product_id) ?? text(product.sku),
      item_name: text(product.name),
      item_brand: text(product.brand),
      item_category: text(product.category),
      item_variant: text(product.variant),
      price: number(product.price),
      quantity: number(product.quantity),
    })),
  };
}

// A name has letters, digits and _, begins with a letter and has at most 40 of them.
function cleanName(name) {
  const clean = name.replace(/[^\p{L}\p{N}_]+/gu, "_");
  return cut(/^\p{L}/u.test(clean) ? clean : `e_${clean}`, 40);
}

// The text with at most so many letters, and without half of a letter at its end.
function cut(value, most) {
  return value.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function number(value) {
  return text(value) !== undefined && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
