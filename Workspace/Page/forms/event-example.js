// An event by example: a signal of a recorded session, and the text of a generator that makes an event of signals like it.

/// The constants of the types of signals, for scripts.
const Types = {
  interaction: 'SignalType.Interaction', navigation: 'SignalType.Navigation', network: 'SignalType.Network',
  localData: 'SignalType.LocalData', instrumentation: 'SignalType.Instrumentation', userDefined: 'SignalType.UserDefined',
};

/// The members by which a signal of each type is mostly known.
const Marks = {
  interaction: ['component', 'title'], navigation: ['action', 'screen'], network: ['action', 'method'],
  localData: ['action', 'identifier'], instrumentation: ['type'],
};

const Depth = 4;
const MostValues = 40;
const Indent = '  ';

/// The values inside of a value that are no objects or lists: `{path, value}`.
export function scalarsIn(value, path = []) {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [{ path, value }];
  if (Array.isArray(value) || path.length >= Depth) return [];
  return Object.keys(value).flatMap((key) => scalarsIn(value[key], [...path, key])).slice(0, MostValues);
}

function valueAt(value, path) {
  return path.reduce((inner, key) => inner?.[key], value);
}

/// A text as a literal of JavaScript.
const literal = (value) => JSON.stringify(value);

const isIdentifier = (name) => /^[A-Za-z_$][\w$]*$/.test(name);

/// The expression for a member inside of an object, where each part may be missing.
function access(name, path) {
  const start = name === 'signal' ? `signal.${path[0]}` : name;
  return path.slice(name === 'signal' ? 1 : 0)
    .reduce((text, key) => (isIdentifier(key) ? `${text}?.${key}` : `${text}?.[${literal(key)}]`), start);
}

/// The name of a property in an object literal. `__proto__` alone would be no property.
function propertyName(name) {
  if (name === '__proto__') return `[${literal(name)}]`;
  return isIdentifier(name) ? name : literal(name);
}

const typeOf = (signal) => (Object.hasOwn(Types, signal.type) ? Types[signal.type] : literal(signal.type));

/// The part of an address before the first id or the query, by which the requests of one kind begin.
function beginning(url) {
  const [address] = String(url).split(/[?#]/);
  const parts = address.split('/');
  const id = parts.findIndex((part, place) => place > 2 && /\d/.test(part));
  return id < 0 ? address : `${parts.slice(0, id).join('/')}/`;
}

/// A signal that means something. `signals` are those of its session in their order, as scripts get them.
export class EventExample {
  constructor(signals, position) {
    this.signals = signals;
    this.signal = signals[position];
    // Scripts would find the signal itself first.
    this.screen = this.signal.type === 'navigation' ? undefined
      : this.before(position, (one) => one.type === 'navigation' && one.data?.screen);
    this.response = this.signal.type === 'network' ? undefined
      : this.before(position, (one) => one.type === 'network' && one.data?.action === 'response');
    const marks = Object.hasOwn(Marks, this.signal.type) ? Marks[this.signal.type] : [];
    this.conditions = scalarsIn(this.signal.data).map(({ path, value }) => (
      { path, value, isChosen: path.length === 1 && marks.includes(path[0]) }));
    this.properties = this.candidates();
    this.name = this.suggestedName();
  }

  /// The newest signal before a place of the session that is as asked for.
  before(position, isAsFor) {
    return this.signals.slice(0, position).findLast(isAsFor);
  }

  suggestedName() {
    const { type, data } = this.signal;
    const text = { interaction: data?.title && `${data.title} Tapped`, navigation: data?.screen && `${data.screen} Viewed` }[type];
    return typeof text === 'string' ? text : '';
  }

  /// The values that can become properties: of the signal, of the screen before it, and of the response before it.
  candidates() {
    const own = scalarsIn(this.signal.data?.data, ['data', 'data']).map(({ path, value }) => ({ of: 'signal', path, value, isChosen: true }));
    const marks = this.conditions.filter(({ path }) => path[0] !== 'data')
      .map(({ path, value }) => ({ of: 'signal', path: ['data', ...path], value, isChosen: false }));
    const screen = this.screen ? [{ of: 'screen', path: ['data', 'screen'], value: this.screen.data.screen, isChosen: true }] : [];
    const response = scalarsIn(this.response?.data?.data, ['data', 'data'])
      .map(({ path, value }) => ({ of: 'response', path, value, isChosen: false }));
    return [...own, ...marks, ...screen, ...response].slice(0, MostValues)
      .map((property) => ({ ...property, name: property.path.at(-1) }));
  }

  /// How many signals of the session are like it.
  get matches() {
    const chosen = this.conditions.filter(({ isChosen }) => isChosen);
    return this.signals.filter((one) => one.type === this.signal.type
      && chosen.every(({ path, value }) => valueAt(one.data, path) === value)).length;
  }

  /// The lines of the rule, as a person would write it.
  get rule() {
    const conditions = [`signal.type === ${typeOf(this.signal)}`, ...this.conditions.filter(({ isChosen }) => isChosen)
      .map(({ path, value }) => `${access('signal', ['data', ...path])} === ${literal(value)}`)];
    const chosen = this.properties.filter(({ isChosen, name }) => isChosen && name);
    const lines = `if (${conditions.join(`\n${Indent}${Indent}&& `)}) {`.split('\n');
    if (chosen.some((property) => property.of === 'screen')) {
      lines.push(`${Indent}const screen = signals.find(signal, SignalType.Navigation);`);
    }
    if (chosen.some((property) => property.of === 'response')) {
      const from = beginning(this.response.data.url ?? '');
      lines.push(`${Indent}const response = signals.find(signal, SignalType.Network, (one) => one.data?.action === NetworkAction.Response`,
        `${Indent}${Indent}&& String(one.data?.url).startsWith(${literal(from)}));`);
    }
    const values = chosen.map((property) => `${propertyName(property.name)}: ${access(property.of, property.path)},`);
    lines.push(...(values.length
      ? [`${Indent}analytics.track(${literal(this.name)}, {`, ...values.map((line) => `${Indent}${Indent}${line}`), `${Indent}});`]
      : [`${Indent}analytics.track(${literal(this.name)});`]), '}');
    return lines;
  }

  /// A text of live plugins with this rule: `{text, isCalled}`. Without `isCalled` a generator of the text has to call
  /// `eventsByExample(signal)` itself.
  addedTo(text) {
    const rule = this.rule.map((line) => `${Indent}${line}\n`).join('');
    const known = /^function eventsByExample\(signal\) \{\n/m.exec(text);
    const end = known ? text.indexOf('\n}', known.index) + 1 : 0;
    if (end) return { text: `${text.slice(0, end)}${rule}${text.slice(end)}`, isCalled: true };
    const examples = '// Each rule makes an event of signals like one of a recorded session.\n'
      + `function eventsByExample(signal) {\n${rule}}\n`;
    const generator = /^function processSignal\((\w+)\) \{\n/m.exec(text);
    if (generator) {
      const start = generator.index + generator[0].length;
      const called = `${text.slice(0, start)}${Indent}eventsByExample(${generator[1]});\n${text.slice(start)}`;
      return { text: `${called.trimEnd()}\n\n${examples}`, isCalled: true };
    }
    const isCalled = !/\bprocessSignal\b/.test(text);
    const call = isCalled ? `\nfunction processSignal(signal) {\n${Indent}eventsByExample(signal);\n}\n` : '';
    return { text: `${text.trim() ? `${text.trimEnd()}\n\n` : ''}${examples}${call}`, isCalled };
  }
}
