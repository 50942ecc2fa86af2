// Conditions on the content of events: as the expressions that the server reads (`where`), in the address, and in words.

/// Each comparison of the server in words. The longer signs come first, because they are looked for in this order.
const Words = {
  '!=': 'is not', '>=': 'is at least', '<=': 'is at most', '=': 'is', '>': 'is greater than', '<': 'is less than', '~': 'contains',
};
const MostBytes = 1024; // of one condition
const MostKeys = 16; // of a path
const shownValue = 60; // characters of a value in words

/// How many conditions the server takes at once.
export const MostConditions = 8;

export class Condition {
  /// `text` is the expression. `keys`, `comparison` and `value`, which is a JSON text, say how it is read; without a
  /// comparison, the member only has to be there. An expression that cannot be read here has only its text.
  constructor(text, { keys, comparison, value } = {}) {
    Object.assign(this, { text, keys, comparison, value });
  }

  /// The condition that compares the member at the end of a path with a value, given as JSON text; nothing when the server
  /// has no expression for it.
  static of(keys, comparison = undefined, value = '') {
    const path = pathText(keys);
    if (path === undefined) return undefined;
    const text = comparison ? `${path}${comparison}${value}` : path;
    if (new TextEncoder().encode(text).length > MostBytes) return undefined;
    return new Condition(text, { keys, comparison, value });
  }

  /// Reads an expression as the server does.
  static read(text) {
    const reader = new Reader(text);
    const keys = reader.path();
    if (!keys) return new Condition(text);
    if (!reader.rest) return new Condition(text, { keys });
    const comparison = Object.keys(Words).find((sign) => reader.rest.startsWith(sign));
    const value = comparison && trimmed(reader.rest.slice(comparison.length));
    if (!comparison || /^[=!<>]/.test(value)) return new Condition(text);
    return new Condition(text, { keys, comparison, value: jsonText(value, comparison) });
  }

  /// The condition as a reader sees it.
  get words() {
    if (!this.keys) return this.text;
    const path = this.keys.join('.');
    if (!this.comparison) return `${path} is set`;
    const value = this.value.length > shownValue ? `${this.value.slice(0, shownValue - 1)}…` : this.value;
    return `${path} ${Words[this.comparison]} ${value}`;
  }
}

/// The conditions that a value suggests, each `{label, condition}`. `kind` and `text` are those of a node of JSON: "string",
/// "number" or "literal", and the JSON text of the value.
export function suggested(keys, kind, text) {
  const isOrdered = kind === 'number' || (kind === 'string' && /^"\d{4}-\d\d-\d\d/.test(text));
  const offers = [['is', '='], ['is not', '!='], kind === 'string' && ['contains', '~'],
    isOrdered && ['greater than', '>'], isOrdered && ['less than', '<'], ['is set', undefined]];
  return offers.filter(Boolean).map(([label, comparison]) => ({ label, condition: Condition.of(keys, comparison, text) }))
    .filter(({ condition }) => condition);
}

/// The conditions of an address, given as its part from the question mark on.
export function conditionsOf(search) {
  const texts = new URLSearchParams(search).getAll('where').filter((text) => text.trim());
  return [...new Set(texts)].map(Condition.read);
}

/// The part of an address from the question mark on, with other conditions.
export function withConditions(search, conditions) {
  const query = new URLSearchParams(search);
  query.delete('where');
  for (const { text } of conditions) query.append('where', text);
  const text = query.toString();
  return text ? `?${text}` : '';
}

/// The conditions as a further part of a query to the server.
export function queryOf(conditions) {
  return conditions.map(({ text }) => `&where=${encodeURIComponent(text)}`).join('');
}

// Texts of paths and values

/// The JSON text of a value that a condition can compare with; nothing for lists, objects and numbers that JavaScript does not hold
/// exactly.
export function exactText(value) {
  if (value === undefined || (value !== null && typeof value === 'object')) return undefined;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined;
  return JSON.stringify(value);
}

/// A path as an expression has it; nothing when the server has no way to write it.
export function pathText(keys) {
  const texts = keys.map(keyText);
  return texts.length && texts.length <= MostKeys && !texts.includes(undefined) ? texts.join('.') : undefined;
}

function keyText(key) {
  if (/^[\p{L}\p{N}_$-]+$/u.test(key)) return key;
  if (key && !key.includes('"')) return `"${key}"`;
  // A key with a quote cannot stand in quotes. Without them it may have no sign and no space at an end.
  return /^(?!["\s])[^.=!<>~]+(?<!\s)$/.test(key) ? key : undefined;
}

/// The JSON text of a value that may stand without quotes.
function jsonText(text, comparison) {
  try {
    const value = JSON.parse(text);
    const isScalar = value === null || typeof value !== 'object';
    if (isScalar && (comparison !== '~' || typeof value === 'string')) return text;
  } catch {
    // Not JSON, so it is a text without quotes.
  }
  return JSON.stringify(text);
}

function trimmed(text) {
  return text.replace(/^ +| +$/g, '');
}

/// Reads the path at the beginning of an expression.
class Reader {
  constructor(text) {
    this.rest = trimmed(text);
  }

  path() {
    const keys = [];
    for (;;) {
      const key = this.key();
      if (!key || keys.length === MostKeys) return undefined;
      keys.push(key);
      if (!this.rest.startsWith('.')) return keys;
      this.rest = this.rest.slice(1);
    }
  }

  key() {
    const [whole, quoted, plain] = /^"([^"]*)"|^([^".=!<>~][^.=!<>~]*)/.exec(this.rest) || [''];
    this.rest = this.rest.slice(whole.length);
    if (quoted === undefined) return plain && trimmed(plain);
    this.rest = trimmed(this.rest);
    return quoted;
  }
}
