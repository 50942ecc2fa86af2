// The settings and the secrets that the class of a destination function declares.

import { element } from '../parts/elements.js';
import { field, textInput } from '../parts/parts.js';

export class FunctionForm {
  /// `values` are the settings that are stored, `stored` the names of the secrets that the server has. `prefix` begins the ids
  /// of the fields, on a page with one form.
  constructor({ settings = {}, secrets = {} }, values = {}, stored = [], prefix = '') {
    const id = (name) => (prefix ? `${prefix}-${name}` : undefined);
    this.settings = Object.entries(settings).map(([name, declared]) => ({
      name, declared, input: FunctionForm.input(declared, values[name], id(`setting-${name}`)),
    }));
    this.secrets = Object.entries(secrets).map(([name, declared]) => ({
      name, declared, input: textInput('', {
        id: id(`secret-${name}`), type: 'password', autocomplete: 'new-password', maxlength: '8192',
        required: declared.required && !stored.includes(name), placeholder: stored.includes(name) ? 'stored; empty keeps it' : '',
      }),
    }));
  }

  static input({ type, required, default: usual }, value, id) {
    if (type === 'boolean') {
      const input = element('input', { type: 'checkbox', id });
      input.checked = Boolean(value ?? usual);
      return input;
    }
    return textInput(value === undefined || value === null ? '' : String(value), {
      id, required: required && usual === undefined, placeholder: usual === undefined ? '' : String(usual),
      ...(type === 'number' ? { inputmode: 'decimal' } : {}),
    });
  }

  get fields() {
    return [
      ...this.settings.map(({ name, declared, input }) => field(name, input, declared.description)),
      ...this.secrets.map(({ name, declared, input }) => field(`${name} (secret)`, input, declared.description)),
    ];
  }

  /// The values of the settings. An empty field has the default.
  get values() {
    const values = {};
    for (const { name, declared, input } of this.settings) {
      if (declared.type === 'boolean') values[name] = input.checked;
      else if (input.value.trim()) values[name] = FunctionForm.value(name, declared, input.value.trim());
    }
    return values;
  }

  static value(name, { type }, text) {
    if (type !== 'number') return text;
    const number = Number(text);
    if (Number.isNaN(number)) throw new Error(`${name} is a number, not “${text}”.`);
    return number;
  }

  /// The secrets that were typed.
  get typedSecrets() {
    return Object.fromEntries(this.secrets.filter(({ input }) => input.value).map(({ name, input }) => [name, input.value]));
  }
}
