// The changes that administrators made, newest first.

import { JSONTree, TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { member, scalar, textOf } from '../api/json.js';
import { Limits } from '../api/limits.js';
import { button, choice, note, nothing, part, textInput } from '../parts/parts.js';
import { Address } from './places.js';
import { count, plural, textual } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const Ways = [['', 'By everyone'], ['token', 'By tokens'], ['login', 'On the page'], ['server', 'By the server'], ['rollout', 'By roll-outs']];
const Periods = [['', 'All time'], ['1', 'Last 24 hours'], ['7', 'Last 7 days'], ['30', 'Last 30 days']];

/// The values of an object, each `[path, text]`. A list counts its values.
function facts(node, path = '') {
  if (node.kind === 'object' && node.entries.length) {
    return node.entries.flatMap(([key, child]) => facts(child, path ? `${path}.${key}` : key));
  }
  if (node.kind === 'array') return [[path, node.items.every((item) => item.text || textOf(item)) && node.items.length < Limits.auditValues
    ? node.items.map((item) => textOf(item) ?? item.text).join(', ') || 'none' : `${count(node.items.length)} values`]];
  return [[path, textOf(node) ?? (node.kind === 'object' ? 'none' : scalar(node))]];
}

export class AuditPlace {
  static isOfAllSources = true;

  constructor(root, surroundings) {
    Object.assign(this, { root, surroundings });
    this.all = [];
    this.entries = element('ol', { class: 'entries' });
    this.summary = element('div', { role: 'status' });
    this.more = button('Show older entries', (event) => this.readMore(event.target), { id: 'older-entries' });
  }

  async start() {
    const sources = this.surroundings.sources.map((source) => [source.writeKey, source.name || source.writeKey]);
    const changed = (name) => (event) => this.choose({ [name]: event.target.value });
    const find = textInput(Address.get('find'), {
      id: 'find', type: 'search', 'aria-label': 'Find in the entries', placeholder: 'Find an action, a name, a value',
      input: () => {
        clearTimeout(this.typing);
        this.typing = setTimeout(() => this.choose({ find: find.value }), Limits.searchTyping);
      },
    });
    this.actions = element('span', {});
    const form = element('form', { class: 'find-form', role: 'search', submit: (event) => event.preventDefault() }, find);
    this.root.replaceChildren(part('Audit', [form, this.actions,
      choice(Ways, Address.oneOf('way', Ways, ''), { id: 'way', 'aria-label': 'Changed by', change: changed('way') }),
      choice(Periods, Address.oneOf('days', Periods, ''), { id: 'period', 'aria-label': 'Period', change: changed('days') }),
      choice([['', 'All sources'], ...sources], Address.get('of'), { 'aria-label': 'Entries of', change: changed('of') })],
    this.summary, this.entries, this.more));
    await this.read();
  }

  /// Call it when the place is left.
  close() {
    clearTimeout(this.typing);
  }

  choose(values) {
    Address.set(values);
    this.all = [];
    this.next = undefined;
    begin(() => this.read());
  }

  async readMore(pressed) {
    pressed.disabled = true;
    await this.read().finally(() => { pressed.disabled = false; });
  }

  /// The query for the server, which looks for the entries.
  query() {
    const query = new URLSearchParams({ limit: Limits.auditEntries });
    const names = { find: 'find', action: 'action', way: 'by', of: 'writeKey' };
    for (const [own, name] of Object.entries(names)) if (Address.get(own).trim()) query.set(name, Address.get(own).trim());
    const days = Address.oneOf('days', Periods, '');
    if (days) query.set('since', new Date(Date.now() - Number(days) * 86_400_000).toISOString());
    if (this.next) query.set('before', this.next);
    return query;
  }

  async read() {
    this.turn = (this.turn || 0) + 1;
    const { turn } = this;
    const page = await Workspace.page(`/api/audit?${this.query()}`, 'entries');
    // The answer to an earlier choice comes too late.
    if (turn !== this.turn) return;
    this.next = page.next;
    this.all.push(...page.records);
    this.draw();
  }

  draw() {
    const isSearch = ['find', 'action', 'way', 'days', 'of'].some((name) => Address.get(name));
    this.more.hidden = !this.next;
    this.more.textContent = isSearch ? 'Look in older entries' : 'Show older entries';
    this.summary.replaceChildren(...(isSearch ? [note(`${plural(this.all.length, 'entry', 'entries')} ${this.next ? 'so far' : 'in all'}.`)] : []));
    this.drawActions();
    if (this.all.length) this.entries.replaceChildren(...this.all.map((entry) => this.entry(entry)));
    else if (isSearch) this.entries.replaceChildren(nothing('No entry is like that', this.next ? 'Older ones may be.' : 'Take out a word, or choose a longer time.'));
    else {
      this.entries.replaceChildren(nothing('Nothing was changed yet',
        'Deployments, settings, keys and tokens appear here with the name of who changed them.'));
    }
  }

  /// The kinds of change that are in sight, of which one may be chosen.
  drawActions() {
    const chosen = Address.get('action');
    const known = [...new Set([...this.all.map(({ record }) => record.action), ...(chosen ? [chosen] : [])])].sort();
    this.actions.replaceChildren(choice([['', 'All changes'], ...known.map((name) => [name, name])], chosen,
      { id: 'action', 'aria-label': 'Kind of change', change: (event) => this.choose({ action: event.target.value }) }));
  }

  static who(entry) {
    if (entry.by === 'server') return 'the server';
    const name = entry.token ? entry.token : 'the admin token';
    return entry.by === 'login' ? `${name}, on the page` : name;
  }

  entry({ record, node }) {
    const line = element('div', { class: 'entry-line' },
      element('time', { datetime: record.at }, TimeTable.long(Date.parse(record.at))),
      button(record.action, () => this.choose({ action: record.action }), { class: 'link entry-action', title: 'Show only changes of this kind' }), element('span', {}, AuditPlace.who(record)),
      element('code', {}, textual(record.writeKey)));
    return element('li', { class: 'entry' }, line, ...AuditPlace.details(member(node, 'details')));
  }

  /// The details of a change in words. The whole JSON text is there for who needs it.
  static details(details) {
    if (!details?.entries?.length) return [];
    const all = facts(details);
    const shown = all.slice(0, Limits.auditValues).map(([name, value]) => element('div', {},
      element('dt', {}, name), element('dd', {}, value)));
    const isNested = all.length > shown.length || details.entries.some(([, { kind }]) => kind === 'object' || kind === 'array');
    const text = isNested ? element('details', { class: 'by-day' }, element('summary', {}, 'As JSON'), new JSONTree(details, 1).draw()) : undefined;
    return [element('dl', { class: 'values' }, ...shown), text].filter(Boolean);
  }
}
