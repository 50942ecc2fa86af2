// The form beside a recorded session: what a signal means, as an event with a name and properties.

import { element } from '../parts/elements.js';
import { button, field, note, table, textInput } from '../parts/parts.js';
import { plural, textual } from '../parts/text.js';

const Origins = { signal: 'this signal', screen: 'the screen before it', response: 'the response before it' };

/// A value as it is shown beside its name.
const shown = (value) => textual(String(value)).slice(0, 80);

export class ExampleForm {
  /// `add` gets the example when the form is sent; `cancel` is called when it is closed.
  constructor(example, { add, cancel }) {
    Object.assign(this, { example, add });
    this.name = textInput(example.name, { id: 'example-name', required: true, maxlength: '200', input: () => { example.name = this.name.value.trim(); } });
    this.like = element('p', { class: 'note', role: 'status' });
    const conditions = example.conditions.map((condition) => element('label', { class: 'line-choice' },
      this.choice(condition), `${condition.path.join('.')} is ${shown(condition.value)}`));
    const properties = example.properties.map((property) => [this.choice(property, `Property ${property.name}`),
      textInput(property.name, { 'aria-label': `Name of the property from ${property.path.join('.')}`, maxlength: '200',
        input: (event) => { property.name = event.target.value.trim(); } }),
      shown(property.value), property.of === 'screen' ? Origins.screen : `${property.path.slice(1).join('.')} of ${Origins[property.of]}`]);
    this.root = element('form', { class: 'example-form', id: 'example', submit: (event) => {
      event.preventDefault();
      add(example);
    } },
      element('h3', {}, 'An event of this signal'),
      field('Name of the event', this.name),
      element('fieldset', {}, element('legend', {}, `Signals of the type ${textual(example.signal.type)} where`),
        ...conditions, conditions.length ? undefined : note('The signal has no values.'), this.like),
      element('h3', {}, 'Properties'),
      properties.length ? table(['Take', 'Name', 'In this session', 'From'], properties, { label: 'Properties of the event' })
        : note('Neither the signal nor those before it have a value for a property.'),
      note('The values are what people did and saw. Choose none that names a person.'),
      element('div', { class: 'actions' }, element('button', { class: 'button strong', type: 'submit' }, 'Add to the generator'),
        button('Cancel', cancel)));
    this.count();
  }

  choice(part, label) {
    const input = element('input', { type: 'checkbox', 'aria-label': label, change: () => {
      part.isChosen = input.checked;
      this.count();
    } });
    input.checked = part.isChosen;
    return input;
  }

  count() {
    const { matches, signals } = this.example;
    this.like.replaceChildren(`${matches} of ${plural(signals.length, 'signal')} of this session ${matches === 1 ? 'is' : 'are'} like this.`);
  }
}
