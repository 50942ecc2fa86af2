// A text of live plugins on its way from one place to another, for as long as the window is open.

export class Draft {
  static name(writeKey) {
    return `draft of ${writeKey}`;
  }

  static keep(writeKey, text) {
    sessionStorage.setItem(Draft.name(writeKey), text);
  }

  /// Removes and returns the kept text; null when there is none.
  static take(writeKey) {
    const text = sessionStorage.getItem(Draft.name(writeKey));
    sessionStorage.removeItem(Draft.name(writeKey));
    return text;
  }
}
