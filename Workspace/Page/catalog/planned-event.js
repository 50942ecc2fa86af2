// One planned event: its state, how stored events differ from it, these events, and the form to change it.

import { TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { button, note, part, table } from '../parts/parts.js';
import { barsWithAxes } from '../charts/chart.js';
import { PlanForm } from './plan-form.js';
import { Plan } from './plan.js';
import { hour } from './catalog-entry.js';
import { Address } from '../places/places.js';
import { count, plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const shown = 20; // events that differ

export class PlannedEvent {
  /// `place` is the plan.
  constructor(place, event) {
    Object.assign(this, { place, event, source: place.source, entry: place.entryOf(event), counts: place.countsOf(event) });
    this.list = element('div', { id: 'differing', role: 'status' });
  }

  draw(root, actions) {
    const { event, entry, place } = this;
    const state = place.stateOf(event);
    const figures = [['Type', event.type], ['State', element('span', { class: 'plan-mark', 'data-outcome': state.outcome }, state.text)],
      ['Events, 30 days', count(entry?.count || 0)], ['Last seen, UTC', entry ? hour(entry.lastHour) : 'never'],
      ...(event.owner ? [['Owner', event.owner]] : [])];
    const open = element('a', { class: 'button', href: Plan.events(this.source.writeKey, event) }, 'Open in Events');
    const remove = place.deploys ? button('Remove', (click) => place.remove(click.target, event), { class: 'button danger' }) : undefined;
    root.replaceChildren(
      part(Plan.label(event), [open, remove, ...actions], element('dl', { class: 'figures' }, ...figures.map(([name, value]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}, value)))), event.description ? note(event.description) : undefined),
      part(event.type === 'identify' || event.type === 'group' ? 'Traits' : 'Properties', [], this.properties()),
      part('Events that differ', [], ...this.time(), this.filters(), this.list),
      ...(place.deploys ? [part('Change it', [], new PlanForm(this.source, event, () => place.start()).root)] : []));
    begin(() => this.readDiffering());
  }

  // Properties

  properties() {
    const deviations = this.entry?.plan?.deviations || [];
    const known = new Set(this.event.properties.map(({ key }) => key));
    const rows = this.event.properties.map((one) => [
      element('code', {}, one.key), one.type || 'any', one.required ? 'yes' : '', one.description || '',
      (one.values || []).join(', '), PlannedEvent.differences(deviations.filter(({ key }) => key === one.key)),
    ]);
    for (const key of new Set(deviations.map((one) => one.key).filter((one) => !known.has(one)))) {
      rows.push([element('code', {}, key), '', '', 'not planned', '', element('a', { href: Plan.events(this.source.writeKey, this.event, key) },
        PlannedEvent.differences(deviations.filter((one) => one.key === key)))]);
    }
    return rows.length ? table(['Key', 'Type', 'Required', 'Description', 'Allowed', 'Differs in 30 days'], rows, { label: 'Planned properties' })
      : note('No property is planned.');
  }

  static differences(deviations) {
    return element('span', { class: 'mixed' }, deviations.map(Plan.text).join('; '));
  }

  // Events that differ

  time() {
    if (!this.place.counts) return [];
    const { days } = this.place.counts;
    if (!this.counts) return [note('No event of the last 30 days differed when it came.', 'delivered')];
    return [note(`${plural(this.counts.count, 'event')} of the last 30 days differed from the plan of that day.`, 'failed'), barsWithAxes(this.counts.days, days)];
  }

  /// Buttons that show only the events with one of the differences.
  filters() {
    const deviations = this.entry?.plan?.deviations || [];
    if (!deviations.length) return undefined;
    const choose = (values) => {
      Address.set(values);
      begin(() => this.readDiffering());
    };
    const chip = (label, problem, key) => button(label, () => choose({ problem, key }), { class: 'button small' });
    return element('div', { class: 'actions', id: 'differences' }, chip('All', '', ''), ...deviations.map(({ problem, key }) =>
      chip(Plan.problem({ problem, key }), problem, key)));
  }

  async readDiffering() {
    const { event } = this;
    const query = new URLSearchParams({ type: event.type, ...(event.name ? { name: event.name } : {}), limit: shown });
    for (const name of ['problem', 'key']) if (Address.get(name)) query.set(name, Address.get(name));
    this.list.replaceChildren(note('Looking …'));
    const answer = await Workspace.json(Plan.path(this.source.writeKey, `/differing?${query}`));
    const rows = answer.events.map((one) => [
      TimeTable.long(Date.parse(one.receivedAt)),
      element('a', { href: Address.ofEvent(one.messageId, `?source=${encodeURIComponent(this.source.writeKey)}`) }, element('code', {}, one.messageId)),
      one.problems.map(Plan.problem).join('; '),
    ]);
    const scope = answer.next === null ? `${plural(answer.lookedAt, 'stored event')} of this name` : `The newest ${plural(answer.lookedAt, 'event')} of this name`;
    this.list.replaceChildren(rows.length ? table(['Arrived', 'Event', 'Differs'], rows, { label: 'Events that differ' }) : note('No such event is stored.'),
      note(`${scope} ${answer.lookedAt === 1 ? 'was' : 'were'} compared with the plan of now.`));
  }
}
