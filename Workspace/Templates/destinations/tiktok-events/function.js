// Sends events to TikTok with its Events API 2.0, in batches.
//
// Sent: track, with the names that TikTok knows for events of the shop, and page as Pageview.
// Skipped: identify, screen, group and alias, and events without any id.
// E-mail address, telephone number and ids are sent as SHA-256 digests only. The messageId is the event_id.
// TikTok answers 200 to all requests: `answered` reads the code in the answer.
// Another sender of such events limits its batches to 50 events, so this one does, too.
//
// Read from the template that TikTok publishes at https://github.com/tiktok/gtm-template-eapi, and for the batch from
// https://docs.tealium.com/server-side-connectors/tiktok-events-connector/. TikTok's own reference
// (https://business-api.tiktok.com/portal/docs) was not at hand. Not tried against the service.

const EVENT_NAMES = new Map([
  ["Order Completed", "CompletePayment"], ["Product Added", "AddToCart"], ["Product Viewed", "ViewContent"],
  ["Checkout Started", "InitiateCheckout"], ["Payment Info Entered", "AddPaymentInfo"], ["Products Searched", "Search"],
  ["Product Added to Wishlist", "AddToWishlist"], ["Signed Up", "CompleteRegistration"],
]);

// The codes of too many requests, and of an access token or a right that is missing, which an operator can mend.
const AGAIN = new Set([40001, 40100, 40104, 40105]);

class TikTokEvents extends Destination {
  static settings = {
    pixelCode: { description: "Code of the pixel", required: true, pattern: "^[A-Z0-9]+$" },
    testEventCode: { description: "Code of TikTok's Test Events, to try it; empty for real events", default: "" },
  };
  static secrets = { accessToken: { description: "Access token of the Events API", required: true } };
  static hosts = ["business-api.tiktok.com"];
  static batchEvents = 50;

  batch(events, settings) {
    const data = events.flatMap(convert);
    if (data.length === 0) return null;
    return request("POST", "https://business-api.tiktok.com/open_api/v1.3/event/track/", {
      headers: { "Access-Token": secret("accessToken") },
      body: {
        event_source: "web",
        event_source_id: settings.pixelCode,
        test_event_code: settings.testEventCode || undefined,
        data,
      },
    });
  }

  // TikTok answers 200 to all requests. A code other than 0 says that it took none of the events.
  answered({ json }, events) {
    const { code, message } = object(json);
    if (code === undefined || code === 0) return;
    const reason = `TikTok answered with the code ${code}: ${message}`;
    if (AGAIN.has(code) || code >= 50000) throw new RetryLater(reason);
    throw new Refused(reason, events.filter((event) => convert(event).length > 0));
  }
}

function convert(event) {
  const name = event.type === "page" ? "Pageview" : event.type === "track" ? text(event.event) : undefined;
  const id = text(event.userId) ?? text(event.anonymousId);
  if (!name || !id) return [];
  const context = object(event.context);
  const page = object(context.page);
  const properties = object(event.properties);
  const traits = object(context.traits);
  return [{
    event: EVENT_NAMES.get(name) ?? name,
    event_time: seconds(event),
    event_id: text(event.messageId),
    user: {
      external_id: sha256(id),
      email: digest(traits.email),
      phone: digest(traits.phone),
      ip: text(context.ip),
      user_agent: text(context.userAgent),
      ttclid: text(properties.ttclid) ?? text(context.ttclid),
      ttp: text(context.ttp),
    },
    page: { url: text(properties.url) ?? text(page.url), referrer: text(properties.referrer) ?? text(page.referrer) },
    properties: propertiesOf(properties),
  }];
}

// The digest of the text, trimmed and in lower case; undefined for no text.
function digest(value) {
  const trimmed = text(value)?.trim().toLowerCase();
  return trimmed ? sha256(trimmed) : undefined;
}

function propertiesOf(properties) {
  const products = (Array.isArray(properties.products) ? properties.products : [properties]).map(object);
  const contents = products.filter(idOf).map((product) => ({
    content_id: idOf(product),
    content_type: "product",
    content_name: text(product.name),
    content_category: text(product.category),
    brand: text(product.brand),
    price: number(product.price),
    quantity: number(product.quantity) ?? 1,
  }));
  return {
    value: number(properties.revenue) ?? number(properties.total) ?? number(properties.value) ?? number(properties.price),
    currency: text(properties.currency),
    query: text(properties.query),
    contents: contents.length > 0 ? contents : undefined,
  };
}

function idOf(product) {
  return text(product.product_id) ?? text(product.sku);
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
