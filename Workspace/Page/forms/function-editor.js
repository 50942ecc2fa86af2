// The function of a destination: its code, its settings, trials on stored events, and the versions before.

import { TimeTable } from '../parts/details.js';
import { drawDiff } from '../parts/diff.js';
import { DraftKeeper } from '../rollouts/drafts.js';
import { Check, Editor } from './editor.js';
import { FunctionForm } from './function-form.js';
import { FunctionTrial } from './function-trial.js';
import { element } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { Messages } from '../parts/messages.js';
import { button, choice, note, table } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { Workspace } from '../api/workspace.js';

export class FunctionEditor {
  /// `path` is that of the destination in the interface. `change` does a piece of work and draws the destinations again.
  constructor(destination, path, source, change) {
    Object.assign(this, { destination, path, change });
    this.drafts = new DraftKeeper(`the function ${destination.name}`, source.writeKey, () => this.textChanged());
    this.declared = element('div', { class: 'fields' });
    this.result = element('div', { class: 'trial', role: 'status' });
    this.older = element('div', { class: 'stack' });
  }

  /// Call it when the destinations are drawn again, or left.
  close() {
    this.checking?.stop();
    this.drafts.close();
  }

  /// Draws the editor into an element of the document.
  async open(body) {
    const { name, settings, secrets = [] } = this.destination;
    this.show(settings.declaration || {}, settings.settings, secrets);
    this.editor = new Editor({
      id: `code-${name}`, label: `Code of ${name}`, value: settings.code, changed: () => this.textChanged(),
    });
    this.drafts.attach(this.editor);
    this.events = choice(Limits.functionEvents.map((number) => [String(number), `newest ${number} events`]),
      String(Limits.functionEvents[0]), { 'aria-label': `Try ${name} on` });
    this.users = choice([['all', 'for all users'], ['stages', 'for 10 %, then 50 %, then all users']], 'all',
      { 'aria-label': `Store ${name} for` });
    this.storeButton = button('Store …', (event) => this.store(event.target), { class: 'button strong' });
    body.replaceChildren(this.drafts.root, this.editor.root, this.declared,
      element('div', { class: 'actions' }, this.events, button('Try', (event) => this.tryIt(event.target)),
        button('Try, and compare', (event) => this.tryIt(event.target, true)), element('span', { class: 'divider' }), this.users,
        this.storeButton),
      this.result, this.older);
    await this.editor.open();
    await this.list();
  }

  /// Shows the fields that the class of the code declares. The values that were typed stay.
  show(declaration, values, secrets) {
    this.form = new FunctionForm(declaration, values, secrets);
    this.declared.replaceChildren(...this.form.fields);
    this.shown = JSON.stringify([declaration.settings, declaration.secrets]);
  }

  textChanged() {
    this.drafts.changed();
    this.checking ||= new Check((signal) => this.check(signal));
    this.checking.soon();
  }

  /// Reads what the class declares. Code that cannot be used cannot be stored.
  async check(signal) {
    const code = this.editor.value;
    let findings = [];
    try {
      const body = JSON.stringify({ code });
      const { declaration } = await Workspace.answer('/api/functions/check', body, 'POST', 'application/json', signal);
      if (code !== this.editor.value) return;
      const isShown = this.shown === JSON.stringify([declaration.settings, declaration.secrets]);
      if (!isShown) this.show(declaration, this.form.values, this.destination.secrets);
    } catch (error) {
      if (signal.aborted || code !== this.editor.value) return;
      if (error.status !== 422 && error.status !== 400) {
        this.checking.again();
        return;
      }
      findings = [FunctionEditor.finding(error.message)];
    }
    this.editor.show(findings);
    this.storeButton.disabled = this.editor.hasErrors;
    this.storeButton.title = this.editor.hasErrors ? 'Mend the error first: it is named below the code.' : '';
  }

  static finding(message) {
    const [, line] = /function(?:\.js)?, line (\d+)/.exec(message) || [];
    return { severity: 'error', line: line ? Number(line) : undefined, message };
  }

  /// The code and the values as the fields have them.
  get given() {
    return { code: this.editor.value, settings: this.form.values };
  }

  trial(more, signal) {
    return Workspace.answer(`${this.path}/trial`, JSON.stringify({ last: Number(this.events.value), ...more }), 'POST', 'application/json', signal);
  }

  async tryIt(pressed, compare = false) {
    this.result.replaceChildren(note('Trying …'));
    const done = await Messages.during(pressed, async () => {
      this.result.replaceChildren(...new FunctionTrial(await this.trial({ ...this.given, compare })).draw());
    });
    if (!done) this.result.replaceChildren();
  }

  /// Shows how many of the newest events would be sent differently, and the lines of the code that differ.
  async review(given, code, signal) {
    const answer = await this.trial({ ...given, compare: true }, signal);
    return { content: [new FunctionTrial(answer).line, drawDiff(this.destination.settings.code, code)] };
  }

  async store(pressed) {
    const { name } = this.destination;
    const { given } = this;
    const inStages = this.users.value === 'stages';
    const yes = await confirmed({
      title: `Store the function of ${name}?`, action: 'Store', text: inStages
        ? 'It sends the events of 10 % of the users first. The workspace goes on when a stage has lasted half an hour, and takes it back when '
          + 'more events are refused than by the version before.'
        : 'Events that are sent from now on go through it. The version before stays below.',
      review: (signal) => this.review(given, given.code, signal),
    });
    if (!yes) return;
    await this.change(pressed, async () => {
      const { timeoutSeconds, parallelRequests } = this.destination.settings;
      const typed = this.form.typedSecrets;
      await Workspace.send('PUT', this.path, {
        settings: { ...given, timeoutSeconds, parallelRequests }, ...(Object.keys(typed).length ? { secrets: typed } : {}),
        ...(inStages ? { rollout: { stages: Limits.functionStages } } : {}),
      });
      this.editor.noteStored();
      this.drafts.leave();
      return inStages ? `The function of ${name} is rolled out in stages.` : `The function of ${name} is stored.`;
    });
  }

  // Versions

  async list() {
    const { versions } = await Workspace.json(`${this.path}/versions`);
    if (!versions.length) return;
    const compared = element('div');
    const rows = versions.map((version, index) => FunctionEditor.row(version, index, [
      button('What changed', () => this.compare(version, versions[index + 1], compared), { class: 'button small' }),
      index ? button('Go back …', (event) => this.goBack(event.target, version), { class: 'button small' }) : undefined,
    ]));
    this.older.replaceChildren(element('h3', {}, 'Versions'),
      table(['Version', 'Stored', 'By', 'Change', ''], rows, { label: `Versions of ${this.destination.name}` }), compared);
  }

  static row({ version, storedAt, storedBy, newCode }, index, actions) {
    const cells = [`v${version}`, TimeTable.long(Date.parse(storedAt)), storedBy || 'not noted', newCode ? 'code' : 'settings',
      element('div', { class: 'actions' }, ...actions.filter(Boolean))];
    cells.attributes = { 'data-current': String(index === 0) };
    return cells;
  }

  async stored({ version }) {
    const { settings } = await Workspace.json(`${this.path}/versions/${version}`);
    return settings;
  }

  async compare(version, before, root) {
    await Messages.during(undefined, async () => {
      const [now, old] = [await this.stored(version), before ? await this.stored(before) : { code: '', settings: {} }];
      const text = ({ code, settings }) => `${code}\n// settings: ${JSON.stringify(settings)}\n`;
      root.replaceChildren(element('h3', {}, before ? `Version ${version.version} compared with version ${before.version}`
        : `Version ${version.version}`), drawDiff(text(old), text(now)));
    });
  }

  async goBack(pressed, version) {
    const { name } = this.destination;
    const yes = await confirmed({
      title: `Go back to version ${version.version} of ${name}?`, action: 'Go back',
      text: 'Its code and its settings become a new version. Secrets stay as they are.',
      review: async (signal) => this.review({ version: version.version }, (await this.stored(version)).code, signal),
    });
    if (!yes) return;
    await this.change(pressed, async () => {
      const made = await Workspace.send('POST', `${this.path}/rollback`, { version: version.version });
      return `${name} has version ${made.version}, with the content of version ${made.contentOf}.`;
    });
  }
}
