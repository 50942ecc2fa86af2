// Sends events to Meta with its Conversions API, in batches.
//
// Sent: track, with the names that Meta knows for events of the shop, and page as PageView.
// Skipped: identify, screen, group and alias, and events without any id. Events of a website need the user agent and the
// address of the page, so with actionSource website an event without them is skipped, too.
// E-mail address, telephone number, names and ids are sent as SHA-256 digests only. The messageId is the event_id: an event that
// the browser sent with the same name and event_id counts once, for 48 hours. When one event of a request is older than 7 days,
// Meta refuses the request. The largest request was not in the documentation that was read; 50 events are sent together.
//
// Read from: https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/server-event,
// https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/customer-information-parameters and
// https://developers.facebook.com/documentation/ads-commerce/conversions-api/using-the-api. Not tried against the service.

const EVENT_NAMES = new Map([
  ["Order Completed", "Purchase"], ["Product Added", "AddToCart"], ["Product Viewed", "ViewContent"],
  ["Checkout Started", "InitiateCheckout"], ["Payment Info Entered", "AddPaymentInfo"], ["Products Searched", "Search"],
  ["Product Added to Wishlist", "AddToWishlist"], ["Signed Up", "CompleteRegistration"],
]);

class MetaConversions extends Destination {
  static settings = {
    datasetId: { description: "ID of the dataset or pixel", required: true, pattern: "^[0-9]+$" },
    apiVersion: { description: "Version of the Graph API", pattern: "^v[0-9]+\\.[0-9]+$", default: "v25.0" },
    actionSource: {
      description: "Where the events happen",
      pattern: "^(website|app|email|phone_call|chat|physical_store|system_generated|other)$", default: "website",
    },
    testEventCode: { description: "Code of Meta's Test Events, to try it; empty for real events", default: "" },
  };
  static secrets = { accessToken: { description: "Access token of the Conversions API", required: true } };
  static hosts = ["graph.facebook.com"];
  static batchEvents = 50;

  batch(events, settings) {
    const data = events.flatMap((event) => convert(event, settings));
    if (data.length === 0) return null;
    const address = `https://graph.facebook.com/${settings.apiVersion}/${settings.datasetId}/events`;
    return request("POST", `${address}?access_token=${secret("accessToken")}`, {
      body: { data, test_event_code: settings.testEventCode || undefined },
    });
  }
}

function convert(event, settings) {
  const name = event.type === "page" ? "PageView" : event.type === "track" ? text(event.event) : undefined;
  const id = text(event.userId) ?? text(event.anonymousId);
  const context = object(event.context);
  const url = text(object(event.properties).url) ?? text(object(context.page).url);
  if (!name || !id || (settings.actionSource === "website" && (!url || !text(context.userAgent)))) return [];
  return [{
    event_name: EVENT_NAMES.get(name) ?? name,
    event_time: seconds(event),
    event_id: text(event.messageId),
    event_source_url: url,
    action_source: settings.actionSource,
    user_data: userOf(event, id),
    custom_data: customOf(object(event.properties)),
  }];
}

function userOf(event, id) {
  const context = object(event.context);
  const traits = object(context.traits);
  return {
    em: digest(traits.email),
    ph: digest(text(traits.phone)?.replace(/[^0-9]/g, "").replace(/^0+/, "")),
    fn: digest(traits.firstName),
    ln: digest(traits.lastName),
    external_id: [sha256(id)],
    client_ip_address: text(context.ip),
    client_user_agent: text(context.userAgent),
    fbp: text(context.fbp),
    fbc: text(context.fbc),
  };
}

// A list with the digest of the text, trimmed and in lower case; undefined for no text.
function digest(value) {
  const trimmed = text(value)?.trim().toLowerCase();
  return trimmed ? [sha256(trimmed)] : undefined;
}

function customOf(properties) {
  const products = (Array.isArray(properties.products) ? properties.products : [properties]).map(object);
  const contents = products.filter(idOf).map((product) => ({
    id: idOf(product), quantity: number(product.quantity) ?? 1, item_price: number(product.price),
  }));
  return {
    value: number(properties.revenue) ?? number(properties.total) ?? number(properties.value) ?? number(properties.price),
    currency: text(properties.currency),
    order_id: text(properties.order_id),
    search_string: text(properties.query),
    content_type: contents.length > 0 ? "product" : undefined,
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
