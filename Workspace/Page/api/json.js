// JSON that keeps the spelling of numbers and the order of members.

import { Limits } from './limits.js';

/// A string of JSON without its last quote.
const stringStart = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*/y;

/// The place behind the first characters of a text, as the server and editors count: from 1.
export function placeIn(text, at) {
  const lines = text.slice(0, at).split('\n');
  return `line ${lines.length}, column ${[...lines.at(-1)].length + 1}`;
}

/// The value of a text that a person wrote. An error names the place, which those of browsers do not all do.
export function readJSON(text) {
  ExactJSON.parse(text);
  return JSON.parse(text);
}

/// A parser. Its tree keeps the spelling of numbers and the order of members, which JSON.parse loses. A node is {kind,
/// start, end} with `entries` (object), `items` (array), `value` (string) or `text` (the rest).
export class ExactJSON {
  static parse(text) {
    const reader = new ExactJSON(text);
    const node = reader.value(0);
    reader.space();
    if (reader.at < text.length) throw reader.unexpected();
    return node;
  }

  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  unexpected() {
    const found = this.at < this.text.length
      ? `${JSON.stringify(String.fromCodePoint(this.text.codePointAt(this.at)))} is not expected here` : 'the text ends too early';
    return this.error(found, this.at);
  }

  error(reason, at) {
    return new SyntaxError(`${reason} (${placeIn(this.text, at)})`);
  }

  space() {
    while (' \t\n\r'.includes(this.text[this.at] || 'x')) this.at += 1;
  }

  take(character) {
    this.space();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  expect(character) {
    if (!this.take(character)) throw this.unexpected();
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) throw this.unexpected();
    this.at = pattern.lastIndex;
    return found[0];
  }

  value(depth) {
    if (depth > Limits.jsonDepth) throw this.error(`deeper than ${Limits.jsonDepth} levels`, this.at);
    this.space();
    const start = this.at;
    const node = this.content(depth);
    node.start = start;
    node.end = this.at;
    return node;
  }

  content(depth) {
    switch (this.text[this.at]) {
      case '{': return { kind: 'object', entries: this.entries(depth) };
      case '[': return { kind: 'array', items: this.items(depth) };
      case '"': return { kind: 'string', value: this.string() };
      case 't': case 'f': case 'n': return { kind: 'literal', text: this.match(/true|false|null/y) };
      default: return { kind: 'number', text: this.match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y) };
    }
  }

  entries(depth) {
    const entries = [];
    this.expect('{');
    if (this.take('}')) return entries;
    do {
      this.space();
      const key = this.string();
      this.expect(':');
      entries.push([key, this.value(depth + 1)]);
    } while (this.take(','));
    this.expect('}');
    return entries;
  }

  items(depth) {
    const items = [];
    this.expect('[');
    if (this.take(']')) return items;
    do items.push(this.value(depth + 1)); while (this.take(','));
    this.expect(']');
    return items;
  }

  string() {
    const start = this.at;
    this.match(stringStart);
    if (this.text[this.at] !== '"') throw this.unexpected();
    this.at += 1;
    return JSON.parse(this.text.slice(start, this.at));
  }
}

/// The member of an object node that a path of keys leads to.
export function member(node, ...path) {
  let found = node;
  for (const key of path) {
    found = found?.kind === 'object' ? found.entries.find((entry) => entry[0] === key)?.[1] : undefined;
  }
  return found;
}

/// The text of a string node; undefined for everything else.
export function textOf(node) {
  return node?.kind === 'string' ? node.value : undefined;
}

/// The JSON text of a node, indented by two spaces a level.
export function pretty(node, indent = '') {
  const deeper = `${indent}  `;
  const wrap = (open, parts, close) => (parts.length
    ? `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`
    : open + close);
  switch (node.kind) {
    case 'object':
      return wrap('{', node.entries.map(([key, child]) => `${JSON.stringify(key)}: ${pretty(child, deeper)}`), '}');
    case 'array': return wrap('[', node.items.map((child) => pretty(child, deeper)), ']');
    default: return scalar(node);
  }
}

/// The JSON text of a node in one line.
export function compact(node) {
  switch (node.kind) {
    case 'object':
      return `{${node.entries.map(([key, child]) => `${JSON.stringify(key)}: ${compact(child)}`).join(', ')}}`;
    case 'array': return `[${node.items.map(compact).join(', ')}]`;
    default: return scalar(node);
  }
}

export function scalar(node) {
  return node.kind === 'string' ? JSON.stringify(node.value) : node.text;
}

/// Whether a node has no other nodes in it.
export function isScalar(node) {
  return node.kind !== 'object' && node.kind !== 'array';
}
