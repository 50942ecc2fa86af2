// The tracking plan of a source: the planned events with their state, the events that differ by the day, and one event in detail.

import { hour } from '../catalog/catalog-entry.js';
import { PlanForm } from '../catalog/plan-form.js';
import { PlanImport } from '../catalog/plan-import.js';
import { PlanPart } from '../catalog/plan-part.js';
import { Plan } from '../catalog/plan.js';
import { PlannedEvent } from '../catalog/planned-event.js';
import { bars, barsWithAxes } from '../charts/chart.js';
import { element } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { Messages } from '../parts/messages.js';
import { button, note, nothing, part, table } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { Address } from './places.js';
import { count, plural, shortened } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

export class PlanPlace {
  constructor(root, surroundings) {
    Object.assign(this, { root, surroundings, source: surroundings.source, deploys: surroundings.may('deploy') });
  }

  async start() {
    const { writeKey } = this.source;
    const [plan, catalog, violations] = await Promise.all([
      Plan.read(writeKey), Workspace.json(`/api/catalog?${new URLSearchParams({ writeKey, limit: Limits.catalogMostNames })}`),
      this.violations(),
    ]);
    Object.assign(this, { plan, catalog, counts: violations });
    const [type, name] = [Address.get('type'), Address.get('name')];
    if (Address.get('new') && this.deploys) return this.drawNew();
    const event = type && plan.events.find((one) => one.type === type && (one.name || '') === name);
    if (type && !event) {
      this.root.replaceChildren(part('Plan', [this.all()], nothing('This event is not planned', 'It was taken out, or it never was in the plan.')));
      return undefined;
    }
    if (event) return new PlannedEvent(this, event).draw(this.root, [this.all()]);
    return this.drawAll();
  }

  /// The counts by day; nothing in a cluster, which does not count them.
  async violations() {
    try {
      return await Workspace.json(Plan.path(this.source.writeKey, '/violations'));
    } catch (error) {
      if (error.status !== 501) throw error;
      return undefined;
    }
  }

  /// The stored events of a planned name, as the catalog counted them.
  entryOf(event) {
    return this.catalog.names.find((one) => one.type === event.type && (one.name || '') === (event.name || ''));
  }

  stateOf(event) {
    const isAbsent = this.catalog.absent.some((one) => one.type === event.type && (one.name || '') === (event.name || ''));
    return Plan.state(event, this.entryOf(event), isAbsent);
  }

  /// The counts of events that differ, of one planned name.
  countsOf(event) {
    return this.counts?.events.find((one) => one.type === event.type && (one.name || '') === (event.name || ''));
  }

  all() {
    return element('a', { class: 'button', href: Plan.address(this.source.writeKey) }, 'All events');
  }

  // All events

  drawAll() {
    const { plan, source, counts } = this;
    const strange = plan.events.length ? this.catalog.names.filter((one) => one.plan && !one.plan.planned) : this.catalog.names;
    const rows = plan.events.map((event) => this.row(event));
    const list = rows.length
      ? table(['Event', 'Type', 'State', ...(counts ? ['Differ, 30 days, UTC'] : []), 'Last seen, UTC', 'Owner', 'Properties', ''], rows, { label: 'Planned events' })
      : nothing('Nothing is planned yet', 'A plan says which events the app should send and with which properties. Take over the events '
        + 'that came, import a JSON Schema, or write an event.');
    const actions = this.deploys ? [
      element('a', { class: 'button', id: 'new-event', href: Plan.address(source.writeKey, undefined, { new: '1' }) }, 'Write an event'),
      button('Import', (event) => this.import(event.target), { id: 'import-schema' }),
      strange.length ? button('Take over what came', (event) => this.takeOver(event.target, strange), { id: 'take-over' }) : undefined,
    ] : [];
    this.root.replaceChildren(
      part('Plan', [...actions, plan.events.length ? this.download() : undefined], this.summary(), list),
      ...this.time(), ...this.strange(strange),
      ...(this.deploys ? [new PlanPart(source, plan, () => this.start()).root] : []));
    return undefined;
  }

  summary() {
    const { plan } = this;
    const states = plan.events.map((event) => this.stateOf(event));
    const number = (...names) => states.filter(({ name }) => names.includes(name)).length;
    const parts = [[number('planned'), 'as planned'], [number('differs', 'came'), 'not as planned'], [number('absent'), 'not come yet'],
      [number('blocked'), 'blocked']].filter(([value]) => value).map(([value, words]) => `${count(value)} ${words}`);
    return note(parts.length ? `${plural(plan.events.length, 'planned event')} in the last 30 days (UTC): ${parts.join(', ')}.`
      : 'The workspace stores every event, planned or not, and compares each with the plan.');
  }

  row(event) {
    const entry = this.entryOf(event);
    const counts = this.countsOf(event);
    const properties = event.properties.map((one) => `${one.key}${one.required ? '' : '?'}`).join(', ');
    const state = this.stateOf(event);
    const name = Plan.label(event);
    const days = this.counts ? [counts ? element('span', { class: 'differ' }, bars(counts.days, this.counts.days), count(counts.count)) : '0'] : [];
    return [
      element('a', { href: Plan.address(this.source.writeKey, event) }, shortened(name, Limits.catalogNameLength)), event.type,
      element('span', { class: 'plan-mark', 'data-outcome': state.outcome }, state.text), ...days, entry ? hour(entry.lastHour) : 'never',
      event.owner || '', element('code', {}, shortened(properties, 80)), this.actions(event, name),
    ];
  }

  actions(event, name) {
    if (!this.deploys) return '';
    return element('div', { class: 'actions' },
      event.type === 'track' ? button(event.blocked ? 'Unblock' : 'Block', (click) => this.block(click.target, event), {
        class: 'button small', 'aria-label': `${event.blocked ? 'Unblock' : 'Block'} ${name}`,
      }) : undefined,
      button('Remove', (click) => this.remove(click.target, event), { class: 'button small', 'aria-label': `Remove ${name} from the plan` }));
  }

  /// The events that differed by the day.
  time() {
    if (!this.plan.events.length) return [];
    if (!this.counts) return [part('Events that differ', [], note('A cluster does not count events that differ by the day. Open an event to see them.'))];
    const { days, total, unplanned } = this.counts;
    const all = total.reduce((sum, one) => sum + one, 0);
    const others = unplanned.reduce((sum, one) => sum + one, 0);
    const isEarlier = !all && this.plan.events.some((event) => ['differs', 'came'].includes(this.stateOf(event).name));
    const words = all ? `${plural(all, 'event')} of the last 30 days differed from the plan of the day on which they came`
      + `${others ? `; ${count(others)} of them had names that are not planned` : ''}.`
      : `No event of the last 30 days differed from the plan of the day on which it came.${isEarlier ? ' The list above compares earlier events with the plan of now.' : ''}`;
    const list = all ? element('details', { class: 'by-day' }, element('summary', {}, 'Counts by day, in UTC'),
      table(['Day', 'Events that differ', 'Of names that are not planned'], days.map((day, index) => [day, count(total[index]), count(unplanned[index])])
        .filter((_, index) => total[index]).reverse(), { label: 'Events that differ by day' })) : undefined;
    return [part('Events that differ', [], note(words, all ? 'failed' : isEarlier ? undefined : 'delivered'), all ? barsWithAxes(total, days) : undefined, list)];
  }

  /// Names that came and are not planned.
  strange(entries) {
    if (!entries.length || !this.plan.events.length) return [];
    const rows = entries.map((entry) => [
      element('a', { href: `/catalog?${new URLSearchParams({ source: this.source.writeKey, type: entry.type, ...(entry.name ? { name: entry.name } : {}) })}` },
        shortened(Plan.label(entry), Limits.catalogNameLength)), entry.type, count(entry.count), hour(entry.lastHour),
      this.deploys ? button('Plan it as it comes', (event) => this.takeOver(event.target, [entry]), {
        class: 'button small', 'aria-label': `Plan ${Plan.label(entry)} as it comes`,
      }) : '',
    ]);
    return [part('Came, and not planned', [], table(['Event', 'Type', 'Count', 'Last seen, UTC', ''], rows, { label: 'Events that are not planned' }))];
  }

  // Changes

  download() {
    const text = `${JSON.stringify(this.plan, undefined, 2)}\n`;
    return element('a', {
      class: 'button', id: 'export-plan', download: 'plan.json', href: `data:application/json;charset=utf-8,${encodeURIComponent(text)}`,
    }, 'Export');
  }

  async import(pressed) {
    await Messages.during(pressed, async () => {
      if (await new PlanImport(this.source).ask()) await this.start();
    });
  }

  /// Plans events as they came.
  async takeOver(pressed, entries) {
    const names = entries.map((entry) => Plan.label(entry));
    const yes = entries.length === 1 || await confirmed({
      title: `Plan ${plural(entries.length, 'event')} as they come?`, action: 'Plan them', isHarmless: true,
      text: 'A property is required when every event of the last 30 days had it, and has a type when all values had the same. '
        + `They are: ${shortened(names.join(', '), 400)}.`,
    });
    if (!yes) return;
    await Messages.during(pressed, async () => {
      const plan = await Plan.read(this.source.writeKey);
      const known = new Set(plan.events.map((one) => `${one.type} ${one.name || ''}`));
      const fresh = entries.map((entry) => Plan.eventOf(entry)).filter((one) => !known.has(`${one.type} ${one.name || ''}`));
      await Workspace.send('PUT', Plan.path(this.source.writeKey), { ...plan, events: [...plan.events, ...fresh] });
      await this.start();
      Messages.said(`${plural(fresh.length, 'event')} ${fresh.length === 1 ? 'is' : 'are'} planned.`);
    });
  }

  async block(pressed, event) {
    const { blocked, ...others } = event;
    await Messages.during(pressed, async () => {
      await Plan.put(this.source.writeKey, blocked ? others : { ...others, blocked: true });
      await this.start();
      Messages.said(blocked ? `${event.name} goes to destinations on the device again.`
        : `${event.name} is blocked for destinations on the device. Apps learn it with their next look at the settings.`);
    });
  }

  async remove(pressed, event) {
    const name = Plan.label(event);
    const keys = event.properties.map(({ key }) => key);
    const yes = await confirmed({
      title: `Take ${name} out of the plan?`, action: 'Take out',
      text: `${keys.length ? `Its descriptions and its properties go: ${keys.join(', ')}.` : 'Its description goes.'} `
        + 'Events of that name are stored as before.',
    });
    if (!yes) return;
    const stays = (one) => one.type !== event.type || (one.name || '') !== (event.name || '');
    await Messages.during(pressed, async () => {
      const plan = await Plan.read(this.source.writeKey);
      const stored = await Workspace.send('PUT', Plan.path(this.source.writeKey), { ...plan, events: plan.events.filter(stays) });
      if (Address.get('type')) Address.visit(Plan.address(this.source.writeKey));
      else await this.start();
      Messages.said(`The tracking plan is stored: ${plural(stored.events.length, 'event')}.`);
    });
  }

  drawNew() {
    const form = new PlanForm(this.source, undefined, (event) => Address.visit(Plan.address(this.source.writeKey, event)));
    this.root.replaceChildren(part('Write an event', [this.all()], form.root));
  }
}
