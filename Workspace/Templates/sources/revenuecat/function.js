// Takes the events of RevenueCat: purchases, renewals, cancellations and what else happens to subscriptions.
//
// INITIAL_PURCHASE becomes the track event "Initial Purchase", and so on. The user is app_user_id; an anonymous id of RevenueCat
// becomes the anonymousId. A TRANSFER is an event of the user who gets the purchases.
// Skipped: events that name no user.
// The message id is the id of RevenueCat's event, so a repeated webhook is stored once.
// RevenueCat signs nothing: it sends the text that you enter as "Authorization header value". The secret is that text, all of it.
// Make it long and random.
//
// Read from: https://www.revenuecat.com/docs/integrations/webhooks, also "Event types and fields" and "Sample events" there.
// Not tried against the service.

class RevenueCat extends Source {
  static settings = {
    sandbox: { type: "boolean", description: "Whether events of the sandbox are taken, too", default: false },
  };
  static secrets = { authorization: { description: "The authorization header value in RevenueCat", required: true } };
  static verification = { scheme: "header", header: "Authorization", secret: "authorization" };

  onRequest({ json }, settings) {
    const event = object(object(json).event);
    const id = text(event.id);
    const type = text(event.type);
    if (!id || !type) throw new Refused("the body is no event of RevenueCat");
    if (event.environment === "SANDBOX" && !settings.sandbox) return null;
    const user = text(event.app_user_id) ?? text(list(event.transferred_to)[0]);
    if (user === undefined) return null;
    return {
      type: "track", event: nameOf(type), messageId: id, timestamp: timeOf(event.event_timestamp_ms),
      ...(user.startsWith("$RCAnonymousID:") ? { anonymousId: user } : { userId: user }),
      properties: {
        revenueCatType: type, productId: text(event.product_id), entitlements: list(event.entitlement_ids),
        revenue: number(event.price_in_purchased_currency), currency: text(event.currency), revenueInUSD: number(event.price),
        store: text(event.store), environment: text(event.environment), periodType: text(event.period_type),
        country: text(event.country_code), transactionId: text(event.transaction_id),
        originalTransactionId: text(event.original_transaction_id), expiresAt: timeOf(event.expiration_at_ms),
        cancelReason: text(event.cancel_reason), expirationReason: text(event.expiration_reason),
      },
    };
  }
}

// INITIAL_PURCHASE is "Initial Purchase".
function nameOf(type) {
  return type.toLowerCase().split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}

function timeOf(value) {
  return typeof value === "number" && Math.abs(value) < 8.64e15 ? new Date(value).toISOString() : undefined;
}

function list(value) {
  return Array.isArray(value) ? value : [];
}

function number(value) {
  return typeof value === "number" ? value : undefined;
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
