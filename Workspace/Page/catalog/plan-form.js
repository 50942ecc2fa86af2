// The form of one planned event.

import { element } from '../parts/elements.js';
import { eventLosses } from '../parts/losses.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, textInput } from '../parts/parts.js';
import { askBeforeLoss } from '../parts/questions.js';
import { Plan, PlannedTypes } from './plan.js';

const EventTypes = ['track', 'identify', 'page', 'screen', 'group'].map((type) => [type, type]);

export class PlanForm {
  /// `event` is the planned event; nothing for a new one. `stored` is called with the event when it is planned.
  constructor(source, event, stored) {
    Object.assign(this, { source, event, stored });
    this.type = choice(EventTypes, event?.type || 'track', { id: 'plan-type', disabled: Boolean(event), change: () => this.follow() });
    this.name = textInput(event?.name || '', { id: 'plan-name', maxlength: '1024', disabled: Boolean(event) });
    this.description = textInput(event?.description || '', { id: 'plan-description', maxlength: '500' });
    this.owner = textInput(event?.owner || '', { id: 'plan-owner', maxlength: '100' });
    this.blocked = element('input', { type: 'checkbox', id: 'plan-blocked' });
    this.blocked.checked = Boolean(event?.blocked);
    this.rows = element('div', { class: 'stack', id: 'plan-properties' }, ...(event?.properties || []).map((one) => this.row(one)));
    this.blockedField = element('label', { class: 'line-choice' }, this.blocked, ' Destinations on the device do not get it');
    this.root = this.draw();
    this.follow();
  }

  draw() {
    return element('form', { class: 'stack', id: 'plan-form', submit: (event) => this.submit(event) },
      element('div', { class: 'line-form' }, field('Type', this.type), field('Name', this.name),
        field('Owner', this.owner, 'The person or team to ask.')),
      field('Description', this.description), this.blockedField,
      element('h3', {}, 'Properties'), this.rows,
      element('div', { class: 'actions' }, button('Add a property', () => {
        const row = this.row({ key: '' });
        this.rows.append(row);
        row.querySelector('input').focus();
      }, { id: 'add-property' }),
      element('button', { class: 'button strong', type: 'submit', id: 'store-event' }, this.event ? 'Store' : 'Plan the event')));
  }

  /// Only track events have a name in any case, and only they can be blocked.
  follow() {
    const type = this.type.value;
    this.name.required = type === 'track';
    this.blockedField.hidden = type !== 'track';
  }

  row(property) {
    const input = (value, name, attributes = {}) => textInput(value, { 'data-member': name, ...attributes });
    const type = choice(PlannedTypes, property.type || '', { 'data-member': 'type', change: () => follow() });
    const required = element('input', { type: 'checkbox', 'data-member': 'required' });
    required.checked = Boolean(property.required);
    const values = element('textarea', { 'data-member': 'values', rows: '2', spellcheck: 'false' });
    values.value = (property.values || []).join('\n');
    const valuesField = field('Allowed values', values, 'One a line; none allows every text.');
    const follow = () => { valuesField.hidden = type.value !== 'string'; };
    follow();
    const row = element('fieldset', { class: 'planned-property' },
      element('div', { class: 'line-form' }, field('Key', input(property.key, 'key', { required: true, maxlength: '128' })),
        field('Type', type), element('label', { class: 'line-choice' }, required, ' required'),
        field('Description', input(property.description || '', 'description', { maxlength: '500' })), valuesField,
        button('Take out', () => row.remove(), { class: 'button small', 'aria-label': `Take out ${property.key || 'the property'}` })));
    return row;
  }

  get planned() {
    const text = (input) => input.value.trim();
    const name = this.event ? this.event.name : text(this.name);
    return {
      type: this.type.value, ...(name ? { name } : {}), ...(text(this.description) ? { description: text(this.description) } : {}),
      ...(text(this.owner) ? { owner: text(this.owner) } : {}),
      ...(this.blocked.checked && this.type.value === 'track' ? { blocked: true } : {}),
      properties: [...this.rows.children].map((row) => PlanForm.property(row)),
    };
  }

  static property(row) {
    const member = (name) => row.querySelector(`[data-member="${name}"]`);
    const type = member('type').value;
    const description = member('description').value.trim();
    const values = type === 'string' ? member('values').value.split('\n').map((line) => line.trim()).filter(Boolean) : [];
    return {
      key: member('key').value, ...(type ? { type } : {}), ...(member('required').checked ? { required: true } : {}),
      ...(description ? { description } : {}), ...(values.length ? { values } : {}),
    };
  }

  async submit(event) {
    event.preventDefault();
    const { planned } = this;
    const done = await Messages.during(event.submitter, async () => {
      const { events } = await Plan.read(this.source.writeKey);
      const before = events.find((one) => one.type === planned.type && (one.name || '') === (planned.name || ''));
      if (before && !this.event) throw new Error(`${Plan.label(planned)} is planned already: open it to change it`);
      await askBeforeLoss({ title: 'Change the plan?', losses: before ? eventLosses(before, planned) : [], action: 'Store' });
      await Plan.put(this.source.writeKey, planned);
    });
    if (!done) return;
    await this.stored(planned);
    Messages.said(`${Plan.label(planned)} is planned.`);
  }
}
