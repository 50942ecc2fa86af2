// The settings of a webhook.

import { element } from '../parts/elements.js';
import { field, textInput } from '../parts/parts.js';

export class WebhookForm {
  /// `prefix` begins the ids of the fields, on a page with one form.
  constructor(settings, prefix) {
    this.before = settings;
    const id = (name) => (prefix ? `${prefix}-${name}` : undefined);
    const number = (value, name, most) => textInput(value === undefined ? '' : String(value), {
      id: id(name), inputmode: 'numeric', pattern: '[0-9]*', maxlength: '3', placeholder: most,
    });
    this.url = textInput(settings.url || '', { id: id('url'), type: 'url', required: true, placeholder: 'https://' });
    this.batch = number(settings.batchEvents, 'batch', '1');
    this.parallel = number(settings.parallelRequests, 'parallel', '8');
    this.timeout = number(settings.timeoutSeconds, 'timeout', '15');
    this.deletions = element('input', { type: 'checkbox', id: id('deletions') });
    this.deletions.checked = Boolean(settings.deletions);
    this.headers = element('textarea', {
      id: id('headers'), rows: '2', spellcheck: 'false', autocomplete: 'off', placeholder: 'Authorization: Bearer …',
    });
    this.headers.value = Object.entries(settings.headers || {}).map(([name, value]) => `${name}: ${value}`).join('\n');
  }

  get fields() {
    return [
      field('Address', this.url),
      field('Batch size', this.batch, 'Events in one request, 1 to 500. With more than one, the body is {"batch": [ … ]}.'),
      field('Parallel requests', this.parallel, '1 to 64.'), field('Timeout in seconds', this.timeout, '1 to 60.'),
      field('Takes deletions', this.deletions, 'It is asked to delete what it has of a user who is erased here.'),
      field('Headers', this.headers, 'One on each line. Only tokens with the role administer see the values.'),
    ];
  }

  /// The settings for the server, which checks and stores them. An empty field has the default.
  get change() {
    const settings = { url: this.url.value };
    for (const [name, input] of [['batchEvents', this.batch], ['parallelRequests', this.parallel], ['timeoutSeconds', this.timeout]]) {
      if (input.value) settings[name] = Number(input.value);
    }
    if (this.deletions.checked) settings.deletions = true;
    const headers = {};
    for (const line of this.headers.value.split('\n').filter((text) => text.trim())) {
      const colon = line.indexOf(':');
      if (colon < 1) throw new Error(`“${line.trim()}” is no header: it needs a colon after its name.`);
      headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
    }
    if (Object.keys(headers).length) settings.headers = headers;
    return { settings };
  }
}
