// The consent categories that a destination needs.

import { field, textInput } from '../parts/parts.js';

export class CategoriesField {
  /// `id` is the id of the field, on a page with one form.
  constructor(categories, id) {
    this.input = textInput(categories.join(', '), { id, placeholder: 'none' });
    this.field = field('Consent categories', this.input,
      'Separated by commas. It gets events whose user allows all of them; tcf.4 is purpose 4 of the TCF.');
  }

  /// The value for the server, which checks and stores it.
  get change() {
    return { categories: this.input.value.split(',').map((name) => name.trim()).filter(Boolean) };
  }
}
