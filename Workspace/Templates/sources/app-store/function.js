// Takes the App Store Server Notifications, version 2: purchases, renewals, refunds and what else happens to subscriptions.
//
// Each notification becomes one track event with the name in the table below, by its type and subtype. A type that is not there
// becomes its own name: NEW_TYPE is "New Type". The user is the appAccountToken that the app gave the purchase; without it, the
// original transaction id is the anonymousId. Prices are in the unit of the currency.
// Skipped: tests of App Store Connect, events of the sandbox unless wanted, and notifications without a transaction, such as
// summaries of extended renewals.
// The message id is the notificationUUID, so a repeated notification is stored once.
// The server checks the signature and the chain of certificates of the notification, of its transaction and of its renewal
// before it gets here. The body is the content that was signed; data.transactionInfo and data.renewalInfo are contents, too.
//
// Read from: https://developer.apple.com/documentation/appstoreservernotifications, "notificationType", "subtype" and
// "responseBodyV2DecodedPayload" there, and https://developer.apple.com/documentation/appstoreserverapi/jwstransactiondecodedpayload.
// Not tried against the service.

const EVENT_NAMES = new Map([
  ["CONSUMPTION_REQUEST", "Refund Requested"],
  ["DID_CHANGE_RENEWAL_PREF", "Subscription Downgrade Undone"],
  ["DID_CHANGE_RENEWAL_PREF DOWNGRADE", "Subscription Downgrade Planned"],
  ["DID_CHANGE_RENEWAL_PREF UPGRADE", "Subscription Upgraded"],
  ["DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED", "Subscription Cancelled"],
  ["DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED", "Subscription Cancellation Undone"],
  ["DID_FAIL_TO_RENEW", "Subscription Renewal Failed"],
  ["DID_RENEW", "Subscription Renewed"],
  ["DID_RENEW BILLING_RECOVERY", "Subscription Recovered"],
  ["EXPIRED", "Subscription Expired"],
  ["GRACE_PERIOD_EXPIRED", "Grace Period Expired"],
  ["OFFER_REDEEMED", "Offer Redeemed"],
  ["ONE_TIME_CHARGE", "Order Completed"],
  ["PRICE_INCREASE ACCEPTED", "Price Increase Accepted"],
  ["PRICE_INCREASE PENDING", "Price Increase Announced"],
  ["REFUND", "Order Refunded"],
  ["REFUND_DECLINED", "Refund Declined"],
  ["REFUND_REVERSED", "Refund Reversed"],
  ["RENEWAL_EXTENDED", "Subscription Extended"],
  ["REVOKE", "Purchase Revoked"],
  ["SUBSCRIBED INITIAL_BUY", "Subscription Started"],
  ["SUBSCRIBED RESUBSCRIBE", "Subscription Resumed"],
]);

// With these, the price of the transaction was paid.
const CHARGES = new Set(["SUBSCRIBED", "DID_RENEW", "ONE_TIME_CHARGE"]);

class AppStore extends Source {
  static settings = {
    bundleId: { description: "Bundle id of the app, such as com.example.shop", required: true },
    sandbox: { type: "boolean", description: "Whether events of the sandbox are taken, too", default: false },
    root: {
      description: "SHA-256 fingerprint of another root certificate than Apple Root CA - G3, for tests", default: "",
      pattern: "^(?:[0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$|^$",
    },
  };
  static verification = { scheme: "app-store", root: "root" };

  onRequest({ json }, settings) {
    const { notificationType: type, notificationUUID: id, signedDate } = object(json);
    if (!text(type) || !text(id)) throw new Refused("the body is no notification of the App Store");
    const data = object(json.data);
    const transaction = object(data.transactionInfo);
    if (type === "TEST" || !text(transaction.originalTransactionId)) return null;
    for (const bundleId of [data.bundleId, transaction.bundleId]) {
      if (bundleId !== settings.bundleId) throw new Refused("the notification is of another app than the setting bundleId says");
    }
    const environment = text(data.environment);
    if (environment !== text(transaction.environment)) throw new Refused("the notification and its transaction are of two environments");
    if (environment === "Sandbox" && !settings.sandbox) return null;
    if (environment !== "Sandbox" && environment !== "Production") throw new Refused("the notification is of an environment that is not the App Store's");
    const user = text(transaction.appAccountToken);
    return {
      type: "track", event: nameOf(type, text(json.subtype)), messageId: id, timestamp: timeOf(signedDate),
      ...(user ? { userId: user } : { anonymousId: transaction.originalTransactionId }),
      properties: propertiesOf(json, transaction, object(data.renewalInfo)),
    };
  }
}

function propertiesOf({ notificationType, subtype, data }, transaction, renewal) {
  const price = typeof transaction.price === "number" ? transaction.price / 1000 : undefined;
  return {
    appStoreType: notificationType, subtype: text(subtype), environment: text(data.environment),
    productId: text(transaction.productId), kind: text(transaction.type), quantity: number(transaction.quantity),
    price, revenue: CHARGES.has(notificationType) ? price : undefined, currency: text(transaction.currency),
    transactionId: text(transaction.transactionId), originalTransactionId: transaction.originalTransactionId,
    storefront: text(transaction.storefront), ownership: text(transaction.inAppOwnershipType),
    offerType: number(transaction.offerType), offer: text(transaction.offerIdentifier),
    purchasedAt: timeOf(transaction.purchaseDate), expiresAt: timeOf(transaction.expiresDate),
    revokedAt: timeOf(transaction.revocationDate), revocationReason: number(transaction.revocationReason),
    renews: typeof renewal.autoRenewStatus === "number" ? renewal.autoRenewStatus === 1 : undefined,
    renewsAs: text(renewal.autoRenewProductId), expirationIntent: number(renewal.expirationIntent),
    graceEndsAt: timeOf(renewal.gracePeriodExpiresDate),
  };
}

function nameOf(type, subtype) {
  return EVENT_NAMES.get(`${type} ${subtype}`) ?? EVENT_NAMES.get(type) ?? wordsOf(type);
}

// NEW_TYPE is "New Type".
function wordsOf(type) {
  return type.toLowerCase().split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}

function timeOf(value) {
  return typeof value === "number" && Math.abs(value) < 8.64e15 ? new Date(value).toISOString() : undefined;
}

function number(value) {
  return typeof value === "number" ? value : undefined;
}

function text(value) {
  return typeof value === "string" ? value || undefined : undefined;
}

function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
