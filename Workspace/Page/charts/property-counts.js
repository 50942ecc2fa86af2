// Events and users by the values of a property. The server reads all events for it, so the numbers grow while the
// reader watches.

import { Breakdown } from '../api/breakdown.js';
import { bars } from './chart.js';
import { Condition, conditionsOf, exactText, pathText } from '../api/conditions.js';
import { filterable } from '../parts/conditions-bar.js';
import { element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { Limits } from '../api/limits.js';
import { LineChart } from './line-chart.js';
import { Messages } from '../parts/messages.js';
import { choice, field, note, nothing, part, table, textInput } from '../parts/parts.js';
import { Address } from '../places/places.js';
import { SearchProgress } from './search-progress.js';
import { change, csv, fileOf, firstDay } from './series.js';
import { count, plural, shortened } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

export function valueText(value) {
  return shortened(typeof value === 'string' ? value : JSON.stringify(value), Limits.catalogValueLength);
}

export class PropertyCounts {
  constructor(source, period) {
    Object.assign(this, { source, period });
    this.progress = new SearchProgress({ status: 'breakdown-status', stop: 'stop-breakdown' }, () => this.stop());
    this.result = element('div', { id: 'breakdown' });
  }

  /// What the server is asked for an address; nothing when the address has no property.
  static search(address, source, period) {
    const property = address.get('property');
    if (!property) return undefined;
    const query = new URLSearchParams({
      writeKey: source.writeKey, property, since: firstDay(period), compare: true, limit: Limits.exploreValues,
    });
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
      this.result.replaceChildren(nothing('Which property?', 'Choose one, and the events are counted by its values. The '
        + 'server looks at each stored event for it, newest first.'));
    }
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
      id: 'breakdown-property', list: 'breakdown-properties', required: true, placeholder: 'properties.plan',
    });
    this.suggest();
    return element('form', {
      class: 'line-form', submit: (event) => {
        event.preventDefault();
        const [type, name] = this.name.value ? JSON.parse(this.name.value) : [];
        Address.set({ property: this.property.value, type: type || '', name: name || '' });
        begin(() => this.count());
      },
    }, field('Events', this.name), field('Property', this.property, 'Its path in the event.'),
    element('button', { class: 'button strong', type: 'submit' }, 'Count'), this.suggestions);
  }

  /// Offers the properties of the chosen events, and the fields that most events have.
  suggest() {
    const chosen = this.names.filter((one) => !this.name.value || this.name.value === JSON.stringify([one.type, one.name]));
    const paths = chosen.flatMap((one) => one.properties.map(({ key }) => {
      return pathText([one.type === 'identify' || one.type === 'group' ? 'traits' : 'properties', key]);
    })).filter(Boolean);
    const all = [...new Set([...paths.slice(0, Limits.suggestions), 'context.os.name', 'context.app.version', 'context.locale', 'userId'])];
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
    const breakdown = new Breakdown(query, (message) => this.came(breakdown, message), path);
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
    this.progress.done(`${plural(result.looked, 'event')} were looked at. Days are counted in UTC, by the time of arrival.`);
    this.draw(result);
  }

  // The result

  draw(result) {
    const { days, total } = result;
    this.drawnAt = performance.now();
    if (!total.count && !total.before) {
      this.result.replaceChildren(nothing('No such event came in this time', 'Choose a longer period or other events.'));
      return;
    }
    const known = result.values.map((one) => ({ ...one, label: valueText(one.value) }));
    const more = [['others', 'other values'], ['absent', 'without it']]
      .map(([name, label]) => ({ ...result[name], label, isRest: true })).filter((one) => one.count || one.before);
    const all = [...known, ...more];
    const rows = all.map((one) => [
      one.isRest ? element('em', {}, one.label) : PropertyCounts.value(one), bars(one.days, days), count(one.count),
      PropertyCounts.users(one.users), count(one.before), change(one.before, one.count),
    ]);
    this.chart?.close();
    const chart = new LineChart(days, [{ label: 'All', values: total.days },
      ...known.slice(0, Limits.exploreLines).map((one) => ({ label: one.label, values: one.days }))]);
    const text = `${plural(total.count, 'event')} by ${total.users === null ? 'very many users' : plural(total.users, 'user')} in ${days.length} days, `
      + `${count(total.before)} in the ${days.length} days before: ${change(total.before, total.count)}.`;
    this.result.replaceChildren(note(text), chart.root,
      table(['Value', 'By day, UTC', 'Count', 'Users', 'Before', 'Change'], rows, { label: 'Counts by value' }),
      ...(result.unlistedValues ? [note(`${plural(result.unlistedValues, 'value')} that came less often are added up.`)] : []),
      ...(result.mayLack ? [note(`There are very many values, so each count may be up to ${count(result.mayLack)} too low.`)] : []));
    const file = csv(days, [...all.map((one) => ({ label: one.label, values: one.days })),
      ...(result.usersByDay ? [{ label: 'users', values: result.usersByDay }] : [])]);
    this.download.replaceChildren(element('a', {
      class: 'button', href: fileOf(file), download: `events-${days[0]}-${days.at(-1)}.csv`,
    }, 'Download CSV'));
    this.chart = chart;
    begin(() => chart.open());
  }

  /// A value, by which the counted events can be filtered.
  static value({ value, label }) {
    const { keys } = Condition.read(Address.get('property'));
    const kind = { string: 'string', number: 'number' }[typeof value] || 'literal';
    const text = exactText(value);
    return element('code', {}, keys && text !== undefined ? filterable(keys, kind, text, label) : label);
  }

  /// A number of users. The server distinguishes users only up to a limit.
  static users(number) {
    return number === null ? 'very many' : count(number);
  }
}
