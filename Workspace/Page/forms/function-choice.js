// A new destination function: a template, or code of one's own.

import { FunctionForm } from './function-form.js';
import { element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { choice, field, note } from '../parts/parts.js';
import { Workspace } from '../api/workspace.js';

/// The code that an author begins with.
const Starter = [
  '// Sends each track event to a service as a message.',
  'class Messages extends Destination {',
  '  static settings = { address: { description: "Address that gets the messages", required: true, pattern: "^https?://" } };',
  '  static hosts = ["{address}"];',
  '',
  '  track(event, settings) {',
  '    return request("POST", settings.address, { body: { text: event.event, user: event.userId, at: seconds(event) } });',
  '  }',
  '}',
  '',
].join('\n');

export class FunctionChoice {
  constructor() {
    this.select = choice([['', 'Code of your own']], '', { id: 'function-template', change: () => this.choose() });
    this.about = element('div', { role: 'status' });
    this.declared = element('div', { class: 'fields' });
    this.root = element('div', { class: 'stack' }, element('div', { class: 'fields' }, field('Code', this.select)), this.about, this.declared);
  }

  get fields() {
    return [this.root];
  }

  /// Call it when the reader chose this kind.
  async open() {
    if (this.templates) return;
    const { templates } = await Workspace.json('/api/functions/templates');
    this.templates = templates;
    this.select.replaceChildren(...[['', 'Code of your own'], ...templates.map(({ name }) => [name, name])]
      .map(([value, label]) => element('option', { value }, label)));
    await this.choose();
  }

  /// Shows what the class of the chosen code declares.
  async choose() {
    const template = this.select.value;
    this.form = undefined;
    this.declared.replaceChildren();
    this.about.replaceChildren(note('One moment …'));
    await Messages.during(undefined, async () => {
      const { declaration } = await Workspace.send('POST', '/api/functions/check', this.code);
      if (template !== this.select.value) return;
      this.form = new FunctionForm(declaration, {}, [], 'function');
      this.declared.replaceChildren(...this.form.fields);
      const about = this.templates?.find(({ name }) => name === template)?.about;
      this.about.replaceChildren(note(`${about || 'Begins with code that sends each track event to an address.'} The destination is made `
        + 'switched off: try it on stored events, change its code, and press Resume.'));
    });
  }

  get code() {
    return this.select.value ? { template: this.select.value } : { code: Starter };
  }

  get change() {
    if (!this.form) throw new Error('The code is still being read. Try again in a moment.');
    return { settings: { ...this.code, settings: this.form.values }, secrets: this.form.typedSecrets, enabled: false };
  }
}
