// The answer to a saved question of Explore, without the place around it.

import { Breakdown } from '../api/breakdown.js';
import { conditionsOf } from '../api/conditions.js';
import { Limits } from '../api/limits.js';
import { eventQuery } from '../charts/event-fields.js';
import { bar, percent } from '../charts/funnel-counts.js';
import { change, csv, sum, tableFile } from '../charts/series.js';
import { count, plural, shortened } from '../parts/text.js';
import { ExplorePlace } from '../places/explore-place.js';

const Day = 86_400_000;
const Periods = ['7', '30', '90'];

/// The counts that the catalog keeps, for an address that is not that of the page.
class KeptCounts extends ExplorePlace {
  constructor(question) {
    super(undefined, { sources: question.sources, source: question.source });
    this.question = question;
  }

  get period() {
    return this.question.period;
  }

  get group() {
    return this.question.group;
  }
}

function valueText(value) {
  return shortened(typeof value === 'string' ? value : JSON.stringify(value), Limits.catalogValueLength);
}

/// A question as its address has it. `answer` asks the server; `stop` ends that.
export class Question {
  constructor(view, sources) {
    Object.assign(this, { query: new URLSearchParams(view.query), sources });
    const wanted = this.query.get('source');
    this.source = wanted ? sources.find(({ writeKey }) => writeKey === wanted) : sources[0];
  }

  get period() {
    return Periods.includes(this.query.get('days')) ? this.query.get('days') : '30';
  }

  get group() {
    return this.query.get('by') || 'type';
  }

  get since() {
    return new Date(Date.now() - (Number(this.period) - 1) * Day).toISOString().slice(0, 10);
  }

  stop() {
    this.search?.stop();
  }

  /// Returns `{text, days, lines, titles, rows, file}`: lines over days for a chart, and rows of a small table.
  /// - Throws: an error whose message says why there is none.
  answer() {
    if (!this.source) throw new Error(`There is no source ${this.query.get('source') ?? ''}`);
    if (this.group === 'funnel') return this.funnel();
    if (this.group === 'retention') return this.retention();
    if (this.group === 'property') return this.values();
    if (!['type', 'name', 'source'].includes(this.group)) throw new Error('The board cannot show this kind of question; open it');
    if (conditionsOf(`?${this.query}`).length) throw new Error('With conditions, count by a property');
    return this.counts();
  }

  async counts() {
    const kept = new KeptCounts(this);
    const catalog = this.group === 'source' ? await kept.sources() : await kept.catalog(this.source.writeKey);
    const days = catalog.days.slice(catalog.days.length / 2);
    const total = catalog.days.map((_, index) => sum(catalog.types.map((one) => one.days[index])));
    const all = kept.series(catalog).map(({ label, now, before }) => ({ label, values: now, count: sum(now), before: sum(before) }))
      .sort((one, other) => other.count - one.count);
    return Question.ofDays(days, { values: total.slice(days.length), before: sum(total.slice(0, days.length)) }, all, 'Events');
  }

  async values() {
    if (!this.query.get('property')) throw new Error('The question names no property');
    const query = this.searched({ property: this.query.get('property'), compare: true });
    for (const name of ['type', 'name']) if (this.query.get(name)) query.set(name, this.query.get(name));
    for (const { text } of conditionsOf(`?${this.query}`)) query.append('where', text);
    const { days, total, values, others, absent } = await this.run(query, '/api/breakdown');
    const more = [[others, 'other values'], [absent, 'without it']].map(([one, label]) => ({ ...one, label }));
    const all = [...values.map((one) => ({ ...one, label: valueText(one.value) })), ...more]
      .filter((one) => one.count || one.before).map((one) => ({ ...one, values: one.days }));
    return Question.ofDays(days, { values: total.days, before: total.before }, all, 'Value');
  }

  async funnel() {
    const steps = this.steps;
    if (!steps.length) throw new Error('The question names no steps');
    const query = this.searched({});
    for (const name of ['window', 'property']) if (this.query.get(name)) query.set(name, this.query.get(name));
    const conditions = conditionsOf(`?${this.query}`).map(({ text }) => text);
    for (const step of steps) query.append('step', eventQuery(step, conditions));
    const { all: { people } } = await this.run(query, '/api/funnel');
    const names = steps.map((step, index) => `${index + 1}. ${shortened(step.name ?? step.type, Limits.onlyLength)}`);
    return {
      text: `${count(people.at(-1))} of ${plural(people[0], 'person', 'people')} did all ${steps.length} steps`
        + `${people[0] ? `: ${percent(people.at(-1), people[0])}` : ''}.`,
      lines: [], days: [], titles: ['Step', 'Share', 'People'],
      rows: names.map((name, index) => [name, bar(people[index], people[0]), count(people[index])]),
      file: tableFile([['step', 'people'], ...names.map((name, index) => [name, people[index]])]),
    };
  }

  async retention() {
    const [first] = this.events('first');
    if (!first) throw new Error('The question names no first event');
    const per = this.query.get('per') === 'week' ? 'week' : 'day';
    const query = new URLSearchParams({ writeKey: this.source.writeKey, since: this.since, by: per });
    const conditions = conditionsOf(`?${this.query}`).map(({ text }) => text);
    query.set('first', eventQuery(first, conditions));
    for (const returning of this.events('returning')) query.set('returning', eventQuery(returning, conditions));
    const { all } = await this.run(query, '/api/retention');
    // Periods are left out when no people did the first event so long ago.
    const later = all.of.map((of, index) => ({ title: `+${index + 1}`, of, came: all.returned[index] })).filter(({ of }) => of);
    const [next] = later;
    return {
      text: `${plural(all.people, 'person', 'people')} did the first event.`
        + `${next ? ` ${percent(next.came, next.of)} came back one ${per} later.` : ''}`,
      lines: [], days: [], titles: [per === 'week' ? 'Weeks later' : 'Days later', 'Share', 'People'],
      rows: later.slice(0, Limits.boardRows).map(({ title, of, came }) => [title, bar(came, of), count(came)]),
      file: tableFile([[`${per}s later`, 'people', 'of'], ...later.map(({ title, of, came }) => [title.slice(1), came, of])]),
    };
  }

  get steps() {
    return this.events('steps');
  }

  /// The events of a member of the address: a list or one; empty when there is none that can be read.
  events(name) {
    try {
      return [JSON.parse(this.query.get(name))].flat().filter((event) => event && typeof event === 'object');
    } catch {
      return [];
    }
  }

  searched(values) {
    return new URLSearchParams({ writeKey: this.source.writeKey, since: this.since, limit: Limits.exploreValues, ...values });
  }

  async run(query, path) {
    let result;
    this.search = new Breakdown(query, (message) => { result = message.result ?? result; }, path);
    await this.search.run();
    if (!result) throw new DOMException('the question was left', 'AbortError');
    return result;
  }

  static ofDays(days, total, all, title) {
    const now = sum(total.values);
    const shown = all.slice(0, Limits.boardRows);
    const rest = all.length - shown.length;
    return {
      text: `${plural(now, 'event')} in ${days.length} days: ${change(total.before, now)}.${rest > 0 ? ` The file has ${plural(rest, 'row')} more.` : ''}`,
      days, titles: [title, 'Count', 'Change'],
      lines: [{ label: 'All', values: total.values },
        ...(all.length > 1 ? all.slice(0, Limits.exploreLines) : []).map(({ label, values }) => ({ label: shortened(label, Limits.onlyLength), values }))],
      rows: shown.map((one) => [shortened(one.label, Limits.catalogNameLength), count(one.count), change(one.before, one.count)]),
      file: csv(days, all),
    };
  }
}
