// The consent categories that a destination needs.

import { field, textInput } from './parts.js';

export class CategoriesField {
  /// `id` is that of the field, where there is one form only.
  constructor(categories, id) {
    this.input = textInput(categories.join(', '), { id, placeholder: 'none' });
    this.field = field('Consent categories', this.input,
      'Separated by commas. It gets events whose user allows all of them; tcf.4 is purpose 4 of the TCF.');
  }

  /// What the server stores and checks.
  get change() {
    return { categories: this.input.value.split(',').map((name) => name.trim()).filter(Boolean) };
  }
}
