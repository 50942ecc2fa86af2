// Events, users and numbers by the values of a property. The server reads all events for it, so the numbers grow while
// the reader watches.

import { Breakdown } from '../api/breakdown.js';
import { bars } from './chart.js';
import { Condition, conditionsOf, exactText, pathText } from '../api/conditions.js';
import { filterable } from '../parts/conditions-bar.js';
import { element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { Limits } from '../api/limits.js';
import { LineChart } from './line-chart.js';
import { amount, Counted, Measure, valueText } from './measure.js';
import { Messages } from '../parts/messages.js';
import { choice, field, note, nothing, part, table, textInput } from '../parts/parts.js';
import { Address } from '../places/places.js';
import { SearchProgress } from './search-progress.js';
import { csv, fileOf, zoneOf } from './series.js';
import { count, plural, shortened } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

export class PropertyCounts {
  constructor(source, period) {
    Object.assign(this, { source, period });
    this.progress = new SearchProgress({ status: 'breakdown-status', stop: 'stop-breakdown' }, () => this.stop());
    this.result = element('div', { id: 'breakdown' });
  }

  /// The question to the server for an address; nothing when the address has neither a property nor numbers.
  static search(address, source, period) {
    const measure = new Measure(address, zoneOf(source));
    const property = address.get('property');
    if (!property && !measure.isOfNumbers) return undefined;
    const query = new URLSearchParams({ writeKey: source.writeKey, compare: true, limit: Limits.exploreValues });
    if (property) query.set('property', property);
    if (measure.isOfPairs) query.set('and', address.get('and'));
    measure.write(query, period);
    for (const name of ['type', 'name']) if (address.get(name)) query.set(name, address.get(name));
    for (const { text } of conditionsOf(address)) query.append('where', text);
    return { path: '/api/breakdown', query };
  }

  async start(root, choices) {
    const query = new URLSearchParams({ writeKey: this.source.writeKey, limit: Limits.suggestions });
    this.names = (await Workspace.json(`/api/catalog?${query}`)).names;
    this.download = element('span', { id: 'breakdown-file' });
    root.replaceChildren(part('Explore', [...choices, this.download], this.form(), this.progress.root, this.result));
    if (PropertyCounts.search(new URLSearchParams(location.search), this.source, this.period)) await this.count();
    else {
      this.result.replaceChildren(nothing('Which property?', 'Choose one, and the events are counted by its values. Or show '
        + 'the sum, the average or another statistic of numbers, with a property or for all events together. The server looks at '
        + 'each stored event for it, newest first.'));
    }
  }

  measure() {
    return new Measure(new URLSearchParams(location.search), zoneOf(this.source));
  }

  form() {
    const key = ({ type, name }) => JSON.stringify([type, name]);
    const shown = ({ type, name }) => shortened(name === null ? type : `${name} · ${type}`, Limits.catalogNameLength);
    const chosen = Address.get('type') ? key({ type: Address.get('type'), name: Address.get('name') || null }) : '';
    this.name = choice([['', 'all events'], ...this.names.map((one) => [key(one), shown(one)])], chosen,
      { id: 'breakdown-name', change: () => this.suggest() });
    // A name that did not come in the last days is in no list.
    if (this.name.selectedIndex < 0) this.name.value = '';
    this.suggestions = element('datalist', { id: 'breakdown-properties' });
    this.property = textInput(Address.get('property'), {
      id: 'breakdown-property', list: 'breakdown-properties', placeholder: 'properties.plan',
    });
    this.and = textInput(Address.get('and'), { id: 'breakdown-and', list: 'breakdown-properties', placeholder: 'context.os.name' });
    this.suggest();
    const { fields, values } = this.measure().fields('breakdown-properties', this.property);
    const [statistic, numbers, ...more] = fields;
    return element('form', {
      class: 'line-form pairs', submit: (event) => {
        event.preventDefault();
        const [type, name] = this.name.value ? JSON.parse(this.name.value) : [];
        Address.set({ property: this.property.value.trim(), and: this.property.value.trim() && this.and.value.trim(), type: type || '', name: name || '', ...values() });
        begin(() => this.count());
      },
    }, statistic, numbers, field('Of', this.name), field('By property', this.property), field('And by', this.and, 'May be empty.'), ...more,
    element('button', { class: 'button strong', type: 'submit' }, 'Count'), this.suggestions);
  }

  /// Offers the properties of the chosen events, and the fields that most events have.
  suggest() {
    const chosen = this.names.filter((one) => !this.name.value || this.name.value === JSON.stringify([one.type, one.name]));
    const paths = chosen.flatMap((one) => one.properties.map(({ key }) => {
      return pathText([one.type === 'identify' || one.type === 'group' ? 'traits' : 'properties', key]);
    })).filter(Boolean);
    const all = [...new Set([...paths.slice(0, Limits.suggestions), 'context.location.country', 'context.os.name', 'context.app.version', 'context.locale', 'userId'])];
    this.suggestions.replaceChildren(...all.map((value) => element('option', { value })));
  }

  // Counting

  stop() {
    this.breakdown?.stop();
  }

  close() {
    this.stop();
    this.chart?.close();
  }

  async count() {
    this.stop();
    const { path, query } = PropertyCounts.search(new URLSearchParams(location.search), this.source, this.period);
    const breakdown = new Breakdown(query, (message) => this.came(breakdown, message), { path });
    this.breakdown = breakdown;
    this.drawnAt = -Infinity;
    this.result.replaceChildren();
    this.download.replaceChildren();
    this.progress.show({ looked: 0, most: 0 });
    try {
      await breakdown.run();
      if (this.breakdown === breakdown && breakdown.leaving.signal.aborted) this.progress.stopped(' The numbers below are those that came last.');
    } catch (error) {
      this.progress.clear();
      Messages.failed(error);
    }
  }

  came(breakdown, { progress, partial, result }) {
    if (this.breakdown !== breakdown) return;
    if (progress) this.progress.show(progress);
    if (partial && performance.now() - this.drawnAt > Limits.partialPause) this.draw(partial);
    if (!result) return;
    this.progress.done(`${plural(result.looked, 'event')} were looked at. ${this.measure().days}`);
    this.draw(result);
  }

  // The result

  draw(result) {
    this.drawnAt = performance.now();
    if (!result.total.count && !result.total.before) {
      this.result.replaceChildren(nothing('No such event came in this time', 'Choose a longer period or other events.'));
      return;
    }
    const counted = new Counted(result, this.measure());
    this.chart?.close();
    const chart = new LineChart(counted.names, [counted.total, ...counted.values.slice(0, Limits.exploreLines)], { on: counted.on });
    this.result.replaceChildren(note(PropertyCounts.words(counted)), chart.root, PropertyCounts.table(counted),
      ...(result.unlistedValues ? [note(`${plural(result.unlistedValues, counted.measure.isOfPairs ? 'pair' : 'value')} that came less often are added up.`)] : []),
      ...(result.mayLack ? [note(`There are very many values, so each count may be up to ${count(result.mayLack)} too low.`)] : []));
    this.download.replaceChildren(PropertyCounts.file(counted, result.usersByDay));
    this.chart = chart;
    begin(() => chart.open());
  }

  static words({ total, measure, names }) {
    const time = `${plural(names.length, measure.interval)}`;
    const events = `${plural(total.events, 'event')} by ${total.users === null ? 'very many users' : plural(total.users, 'user')}`;
    if (measure.isOfNumbers) {
      const without = total.events - total.numbers;
      return `In ${time}, ${measure.words} is ${amount(total.now)}; ${total.before ? amount(total.before) : 'nothing'} in the time before: ${Counted.change(total)}. `
        + `These are ${events}${without ? `; ${plural(without, 'of them has', 'of them have')} no number there` : ''}.`;
    }
    return `${events} in ${time}, ${count(total.before)} in the time before: ${Counted.change(total)}.`;
  }

  static table(counted) {
    const { measure } = counted;
    const byProperty = Boolean(Address.get('property'));
    const titles = ['Value', ...(measure.isOfPairs ? ['And'] : []), `By ${measure.interval}, ${measure.shownZone}`, ...(measure.isOfNumbers ? [measure.title] : []), 'Events',
      'Users', 'Before', 'Change'];
    const rows = (byProperty ? counted.all : [{ ...counted.total, isRest: true }]).map((one) => [
      one.isRest ? element('em', {}, one.label) : PropertyCounts.value(one, 'property', measure.isOfPairs ? valueText(one.value) : one.label),
      ...(measure.isOfPairs ? [one.isRest ? '' : PropertyCounts.second(one)] : []), bars(Counted.values(one), counted.names, counted.on),
      ...(measure.isOfNumbers ? [amount(one.now)] : []), count(one.events), PropertyCounts.users(one.users), amount(one.before),
      Counted.change(one),
    ]);
    return table(titles, rows, { label: 'Counts by value' });
  }

  static file(counted, users) {
    const all = Address.get('property') ? counted.all : [];
    // The values of an average do not add up to that of all.
    const text = csv(counted.labels, [...(counted.measure.isOfNumbers ? [counted.total] : []), ...all, ...(users ? [{ label: 'users', values: users }] : [])]);
    const [first, last] = [counted.labels[0], counted.labels.at(-1)].map((label) => label.slice(0, 10));
    return element('a', { class: 'button', href: fileOf(text), download: `events-${first}-${last}.csv` }, 'Download CSV');
  }

  /// The second value of a pair.
  static second({ and }) {
    return and === undefined ? element('em', {}, 'without it') : PropertyCounts.value({ value: and }, 'and', valueText(and));
  }

  /// A value, by which the counted events can be filtered. `name` is that of its path in the address.
  static value({ value }, name, label) {
    const { keys } = Condition.read(Address.get(name));
    const kind = { string: 'string', number: 'number' }[typeof value] || 'literal';
    const text = exactText(value);
    return element('code', {}, keys && text !== undefined ? filterable(keys, kind, text, label) : label);
  }

  /// A number of users. The server distinguishes users only up to a limit.
  static users(number) {
    return number === null ? 'very many' : count(number);
  }
}
