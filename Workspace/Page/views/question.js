// The answer to a saved question of Explore, without the place around it.

import { Breakdown } from '../api/breakdown.js';
import { conditionsOf } from '../api/conditions.js';
import { Limits } from '../api/limits.js';
import { bar, FunnelCounts, percent } from '../charts/funnel-counts.js';
import { amount, Counted, Measure } from '../charts/measure.js';
import { PropertyCounts } from '../charts/property-counts.js';
import { RetentionCounts } from '../charts/retention-counts.js';
import { csv, KeptCounts, Series, sum, tableFile, zoneOf } from '../charts/series.js';
import { count, plural, shortened } from '../parts/text.js';

const Periods = ['7', '30', '90'];

/// A question as its address has it. `answer` asks the server; `stop` ends that.
export class Question {
  constructor(view, sources) {
    Object.assign(this, { address: new URLSearchParams(view.query), sources });
    const wanted = this.address.get('source');
    this.source = wanted ? sources.find(({ writeKey }) => writeKey === wanted) : sources[0];
  }

  get period() {
    return Periods.includes(this.address.get('days')) ? this.address.get('days') : '30';
  }

  get group() {
    return this.address.get('by') || 'type';
  }

  stop() {
    this.search?.stop();
  }

  /// Returns `{text, days, lines, titles, rows, file}`: lines over days for a chart, and rows of a small table.
  /// - Throws: an error with a message for the reader when there is no answer.
  answer() {
    if (!this.source) throw new Error(`There is no source ${this.address.get('source') ?? ''}`);
    const answers = { funnel: () => this.funnel(), retention: () => this.retention(), property: () => this.values() };
    if (answers[this.group]) return answers[this.group]();
    if (!['type', 'name', 'source'].includes(this.group)) throw new Error('The board cannot show this kind of question; open it');
    if (conditionsOf(this.address).length) throw new Error('With conditions, count by a property');
    return this.counts();
  }

  async counts() {
    const kept = new KeptCounts(this);
    const catalog = await this.catalog(kept);
    const days = catalog.days.slice(catalog.days.length / 2);
    const total = Series.total('All', catalog.days, catalog.types);
    const all = kept.series(catalog).map(({ label, now, before }) => ({ label, values: now, now: sum(now), before: sum(before) }));
    return Question.ofDays(days, { values: total.now, now: sum(total.now), before: sum(total.before) }, all, 'Events');
  }

  /// The counts that the server has kept.
  catalog(kept) {
    return kept.catalog();
  }

  async values() {
    const result = await this.found(PropertyCounts, 'The question names no property');
    const counted = new Counted(result, new Measure(this.address, zoneOf(this.source)));
    const { measure, total } = counted;
    const what = measure.isOfNumbers ? `${measure.words}: ${amount(total.now)}` : plural(total.now, 'event');
    return {
      ...Question.ofDays(counted.labels, total, this.address.get('property') ? counted.all : [], 'Value',
        `${what} in ${plural(counted.labels.length, measure.interval)}${measure.zone ? ` of ${measure.zone}` : ''}`),
      titles: ['Value', measure.title, 'Change'],
    };
  }

  async funnel() {
    const { all: { people } } = await this.found(FunnelCounts, 'The question names no steps');
    const names = FunnelCounts.names(this.address);
    return {
      text: `${count(people.at(-1))} of ${plural(people[0], 'person', 'people')} did all ${names.length} steps`
        + `${people[0] ? `: ${percent(people.at(-1), people[0])}` : ''}.`,
      lines: [], days: [], titles: ['Step', 'Share', 'People'],
      rows: names.map((name, index) => [name, bar(people[index], people[0]), count(people[index])]),
      file: tableFile([['step', 'people'], ...names.map((name, index) => [name, people[index]])]),
    };
  }

  async retention() {
    const { all, by } = await this.found(RetentionCounts, 'The question names no first event');
    // Periods are left out when no people did the first event so long ago.
    const later = all.of.map((of, index) => ({ number: index + 1, of, returned: all.returned[index] })).filter(({ of }) => of);
    const [next] = later;
    return {
      text: `${plural(all.people, 'person', 'people')} did the first event.`
        + `${next ? ` ${percent(next.returned, next.of)} came back ${plural(next.number, by)} later.` : ''}`,
      lines: [], days: [], titles: [by === 'week' ? 'Weeks later' : 'Days later', 'Share', 'People'],
      rows: later.slice(0, Limits.boardRows).map(({ number, of, returned }) => [String(number), bar(returned, of), count(returned)]),
      file: tableFile([[`${by}s later`, 'people', 'of'], ...later.map(({ number, of, returned }) => [number, returned, of])]),
    };
  }

  /// The answer of the server to a kind of question; `missing` says what the address does not name.
  async found(kind, missing) {
    const search = kind.search(this.address, this.source, this.period);
    if (!search) throw new Error(missing);
    let found;
    this.search = new Breakdown(search.query, ({ result }) => { found = result ?? found; }, { path: search.path });
    await this.search.run();
    if (!found) throw new DOMException('the question was left', 'AbortError');
    return found;
  }

  static ofDays(days, total, all, title, what = `${plural(total.now, 'event')} in ${plural(days.length, 'day')}`) {
    const shown = all.slice(0, Limits.boardRows);
    const rest = all.length - shown.length;
    return {
      text: `${what}: ${Counted.change(total)}.${rest > 0 ? ` The file has ${plural(rest, 'row')} more.` : ''}`,
      days, titles: [title, 'Count', 'Change'],
      lines: [{ label: 'All', values: total.values },
        ...(all.length > 1 ? all.slice(0, Limits.exploreLines) : []).map(({ label, values }) => ({ label: shortened(label, Limits.onlyLength), values }))],
      rows: shown.map((one) => [shortened(one.label, Limits.catalogNameLength), amount(one.now), Counted.change(one)]),
      file: csv(days, all.length ? all : [{ label: 'All', values: total.values }]),
    };
  }
}
