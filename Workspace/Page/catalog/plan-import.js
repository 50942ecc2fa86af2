// Takes planned events over from JSON Schema, after showing what that would do.

import { code, element, on } from '../parts/elements.js';
import { readJSON } from '../api/json.js';
import { eventLosses } from '../parts/losses.js';
import { Messages } from '../parts/messages.js';
import { field, note } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { Plan } from './plan.js';
import { plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

export class PlanImport {
  constructor(source) {
    this.source = source;
    this.file = element('input', { type: 'file', accept: '.json,application/json', id: 'schema-file' });
    this.text = element('textarea', {
      id: 'schema-text', rows: '8', spellcheck: 'false', 'aria-label': 'JSON Schema',
      placeholder: '{"title": "Order Completed", "properties": {"total": {"type": "number"}}, "required": ["total"]}',
    });
  }

  /// Asks for the schema, shows its effect, and takes it over. True when the plan is another one.
  async ask() {
    on(this.file, 'change', async () => {
      const [file] = this.file.files;
      if (file) this.text.value = await file.text();
      this.text.dispatchEvent(new Event('change', { bubbles: true }));
    });
    const yes = await confirmed({
      title: 'Import JSON Schema', isHarmless: true, action: 'Change the plan',
      text: 'A schema describes one event, its title is the name. A list of schemas, “$defs”, and a tracking plan with '
        + '“events” and “rules” work, too. Planned events of other names stay.',
      more: [field('File', this.file), field('Or its text', this.text)], review: () => this.review(),
    });
    if (!yes) return false;
    const answer = await Workspace.send('POST', Plan.path(this.source.writeKey, '/import'), this.schema);
    Messages.said(`${plural(answer.added.length, 'event')} planned anew, ${plural(answer.changed.length, 'event')} changed.`);
    return true;
  }

  async review() {
    if (!this.text.value.trim()) return { content: [note('Choose a file, or write the schema below.')], isBlocked: true };
    this.schema = readJSON(this.text.value);
    let answer;
    try {
      answer = await Workspace.send('POST', Plan.path(this.source.writeKey, '/import?dryRun=true'), this.schema);
    } catch (error) {
      if (error.status !== 400) throw error;
      return { content: [note(`This cannot be imported. ${error.message}.`, 'failed')], isBlocked: true };
    }
    const { added, changed, unchanged, ignored, ignoredMore } = answer;
    const names = (events) => events.map((event) => Plan.label(event)).join(', ');
    const losses = changed.flatMap(({ before, after }) => eventLosses(before, after));
    const parts = [
      added.length ? note(`${plural(added.length, 'event')} would be planned anew: ${names(added)}.`, 'changed') : undefined,
      changed.length ? note(`${plural(changed.length, 'event')} would change: ${names(changed.map(({ after }) => after))}.`, 'changed') : undefined,
      unchanged ? note(`${plural(unchanged, 'event')} ${unchanged === 1 ? 'is' : 'are'} planned like that already.`) : undefined,
      losses.length ? element('ul', {}, ...losses.map((loss) => element('li', {}, loss))) : undefined,
      ignored.length ? note(`The plan has no form for ${plural(ignored.length + ignoredMore, 'part')} of the document and does not check `
        + 'them:') : undefined,
      ignored.length ? code(ignored.join('\n'), 'Parts that are not checked') : undefined,
    ].filter(Boolean);
    return { content: parts, isBlocked: !added.length && !changed.length };
  }
}
