// Takes the events of Stripe, such as paid invoices and ended subscriptions.
//
// Each event of Stripe becomes one track event with the name that Stripe gives it, or with the name in the table below. The user is
// the value of the setting `userKey` in the metadata of the object; without it, client_reference_id or the customer of Stripe.
// Skipped: events that name no user, such as balance.available.
// The message id is the id of Stripe's event, so a repeated webhook is stored once. Amounts are in the smallest unit of the currency.
// Choose in Stripe which events are sent. The signing secret of the endpoint begins with whsec_.
//
// Read from: https://docs.stripe.com/webhooks/signature and https://docs.stripe.com/api/events/object. Not tried against the service.

const EVENT_NAMES = new Map([
  ["checkout.session.completed", "Order Completed"],
  ["charge.refunded", "Order Refunded"],
]);

class Stripe extends Source {
  static settings = {
    userKey: { description: "Name of the user's id in the metadata of objects", default: "userId" },
  };
  static secrets = { signingSecret: { description: "Signing secret of the endpoint in Stripe", required: true } };
  static verification = { scheme: "stripe", secret: "signingSecret", tolerance: 300 };

  onRequest({ json }, settings) {
    const { id, type, created, livemode } = object(json);
    if (!text(id) || !text(type)) throw new Refused("the body is no event of Stripe");
    const thing = object(object(json.data).object);
    const userId = userOf(thing, settings.userKey);
    if (userId === undefined) return null;
    return {
      type: "track", event: EVENT_NAMES.get(type) ?? type, userId, messageId: id,
      timestamp: timeOf(created),
      properties: {
        stripeType: type, livemode, objectId: text(thing.id), object: text(thing.object), status: text(thing.status),
        amount: amountOf(thing), currency: text(thing.currency)?.toUpperCase(), customer: customerOf(thing),
      },
    };
  }
}

function userOf(thing, key) {
  return text(object(thing.metadata)[key]) ?? text(thing.client_reference_id) ?? customerOf(thing);
}

function customerOf(thing) {
  if (thing.object === "customer") return text(thing.id);
  return text(thing.customer) ?? text(object(thing.customer).id);
}

function timeOf(seconds) {
  return typeof seconds === "number" && Math.abs(seconds) < 8.64e12 ? new Date(seconds * 1000).toISOString() : undefined;
}

function amountOf({ amount_total, amount_paid, amount_refunded, amount }) {
  return [amount_total, amount_paid, amount_refunded || undefined, amount].find((value) => typeof value === "number");
}

function text(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
