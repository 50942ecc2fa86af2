// The parts of a tracking plan that are about all of its events: the treatment of events that are not planned, and the text.

import { element } from '../parts/elements.js';
import { readJSON } from '../api/json.js';
import { planLosses } from '../parts/losses.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, part } from '../parts/parts.js';
import { askBeforeLoss } from '../parts/questions.js';
import { Plan } from './plan.js';
import { plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

export class PlanPart {
  /// `changed` is called when another plan is stored.
  constructor(source, plan, changed) {
    Object.assign(this, { source, changed });
    this.root = element('div', { id: 'tracking-plan' }, part('The whole plan', [], this.unplanned(plan), this.text(plan)));
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
    await this.changed();
    Messages.said(`The tracking plan is stored: ${plural(stored.events.length, 'event')}.`);
  }
}
