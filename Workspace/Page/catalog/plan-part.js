// The tracking plan of a source, as a part of its place.

import { element } from '../parts/elements.js';
import { readJSON } from '../api/json.js';
import { eventTitle, planLosses } from '../parts/losses.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, note, part, table } from '../parts/parts.js';
import { askBeforeLoss, confirmed } from '../parts/questions.js';
import { Plan } from './plan.js';
import { Address } from '../places/places.js';
import { plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

export class PlanPart {
  constructor(source, plan, deploys) {
    Object.assign(this, { source, deploys });
    this.root = element('div', { id: 'tracking-plan' });
    this.draw(plan);
  }

  draw(plan) {
    const catalog = element('a', { class: 'button', href: Address.of('/catalog', this.source.writeKey) }, 'Compare in the catalog');
    const rows = plan.events.map((event) => this.row(event));
    const list = rows.length
      ? table(['Event', 'Type', 'Properties', 'Description', ''], rows, { label: 'Planned events' })
      : note('Nothing is planned yet. Open an event in the catalog and add it, or write the plan as JSON below.');
    const parts = [note('Which events the source should send, and with which properties. The catalog shows what differs. '
      + 'The workspace stores every event; a blocked one only does not go to destinations on the device.'), list];
    if (this.deploys) parts.push(this.unplanned(plan), this.text(plan));
    this.root.replaceChildren(part('Tracking plan', [catalog], ...parts));
  }

  row(event) {
    const properties = event.properties.map((one) => `${one.key}${one.required ? '' : '?'}${one.type ? `: ${one.type}` : ''}`);
    const name = event.name || event.type;
    const query = new URLSearchParams({ source: this.source.writeKey, type: event.type, ...(event.name ? { name: event.name } : {}) });
    const actions = this.deploys ? element('div', { class: 'actions' },
      event.type === 'track' ? button(event.blocked ? 'Unblock' : 'Block', (click) => this.block(click.target, event),
        { class: 'button small', 'aria-label': `${event.blocked ? 'Unblock' : 'Block'} ${name}` }) : undefined,
      button('Remove', (click) => this.remove(click.target, event), { class: 'button small', 'aria-label': `Remove ${name} from the plan` })) : '';
    return [
      element('span', {}, element('a', { href: `/catalog?${query}` }, name), event.blocked ? ' · blocked' : ''), event.type,
      properties.length ? element('code', {}, properties.join(', ')) : '', event.description || '', actions,
    ];
  }

  unplanned(plan) {
    const select = choice([['allow', 'go to destinations on the device'], ['block', 'are blocked for them']],
      plan.unplanned, { id: 'unplanned', change: (event) => this.change(event.target, (stored) => ({ ...stored, unplanned: select.value })) });
    return field('Track events that are not planned', select);
  }

  text(plan) {
    const input = element('textarea', {
      id: 'plan-text', class: 'rules-input', rows: '10', spellcheck: 'false', 'aria-label': 'Tracking plan as JSON',
    });
    input.value = JSON.stringify(plan, undefined, 2);
    return element('details', { class: 'by-day' }, element('summary', {}, 'As JSON'), input, element('div', { class: 'actions' },
      button('Store plan', (event) => this.replace(event.target, input.value), { id: 'store-plan' })));
  }

  /// Replaces the plan by one that the reader wrote.
  async replace(pressed, text) {
    await Messages.during(pressed, async () => {
      const plan = readJSON(text);
      const losses = planLosses(await Plan.read(this.source.writeKey), plan);
      await askBeforeLoss({ title: 'Replace the tracking plan?', losses, action: 'Store plan' });
      await this.store(plan);
    });
  }

  /// Changes the plan as it is stored now: another person may have changed it since it was drawn.
  async change(pressed, changed) {
    await Messages.during(pressed, async () => this.store(changed(await Plan.read(this.source.writeKey))));
  }

  async store(plan) {
    const stored = await Workspace.send('PUT', Plan.path(this.source.writeKey), plan);
    this.draw(stored);
    Messages.said(`The tracking plan is stored: ${plural(stored.events.length, 'event')}.`);
  }

  async block(pressed, event) {
    const { blocked, ...others } = event;
    await Messages.during(pressed, async () => {
      this.draw(await Plan.put(this.source.writeKey, blocked ? others : { ...others, blocked: true }));
      Messages.said(blocked ? `${event.name} goes to destinations on the device again.`
        : `${event.name} is blocked for destinations on the device. Apps learn it with their next look at the settings.`);
    });
  }

  async remove(pressed, event) {
    const name = event.name || event.type;
    const keys = event.properties.map(({ key }) => key);
    const yes = await confirmed({
      title: `Take ${name} out of the plan?`, action: 'Take out',
      text: `${keys.length ? `Its descriptions and its properties go: ${keys.join(', ')}.` : 'Its description goes.'} `
        + 'Events of that name are stored as before.',
    });
    if (!yes) return;
    const stays = (one) => eventTitle(one) !== eventTitle(event);
    await this.change(pressed, (plan) => ({ ...plan, events: plan.events.filter(stays) }));
  }
}
