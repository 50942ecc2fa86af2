// Destinations of the server: webhooks, files and stores of objects, with their state and the events that they did not
// take.

import { CategoriesField } from '../forms/categories-field.js';
import { TimeTable } from '../parts/details.js';
import { copyButton, element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { Limits } from '../api/limits.js';
import { destinationLosses } from '../parts/losses.js';
import { ClickHouseForm, DatabaseForm } from '../forms/database-form.js';
import { FunctionChoice } from '../forms/function-choice.js';
import { FormatForm, ObjectForm } from '../forms/object-form.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, nothing, note, part, textInput } from '../parts/parts.js';
import { askBeforeLoss, confirmed, showSecret } from '../parts/questions.js';
import { Address } from './places.js';
import { DeadLetters } from '../problems/dead-letters.js';
import { DestinationFacts } from '../problems/destination-facts.js';
import { count, plural, span } from '../parts/text.js';
import { ReplayQuestion, isUnderWay, replayLine } from '../forms/replay.js';
import { WebhookForm } from '../forms/webhook-form.js';
import { Workspace } from '../api/workspace.js';

export class DestinationsPlace {
  constructor(root, surroundings) {
    Object.assign(this, { root, surroundings, source: surroundings.source });
    this.administers = surroundings.may('administer');
    this.list = element('div', { class: 'cards' });
    this.editors = [];
  }

  /// Call it when the place is left.
  close() {
    for (const editor of this.editors) editor.close();
    this.editors = [];
  }

  path(name = '', more = '') {
    const path = Workspace.source(this.source.writeKey, 'destinations');
    return name ? `${path}/${encodeURIComponent(name)}${more}` : path;
  }

  async start() {
    this.root.replaceChildren(part('Destinations', [button('Refresh', () => this.refresh())], this.list),
      ...(this.administers ? [part('Add a destination', [], this.newDestination())] : []));
    await this.refresh();
    await this.reveal(Address.get('destination'));
  }

  /// Shows the destination that the address names, with its dead letters.
  async reveal(name) {
    if (!name) return;
    const card = [...this.list.children].find((one) => one.dataset.name === name);
    if (!card) {
      Messages.said(`There is no destination “${name}”. It was removed, or the address has a mistake.`, 'failed');
      return;
    }
    card.dataset.current = 'true';
    const destination = this.destinations.find((one) => one.name === name);
    if (destination.deadLetters) await this.showLetters(destination, card.querySelector('.dead-letters'));
    card.scrollIntoView({ block: 'start' });
  }

  async refresh() {
    const { destinations } = await Workspace.json(this.path());
    this.destinations = destinations;
    const facts = await Promise.all(destinations.map((one) => DestinationFacts.of(one, this.source.writeKey)));
    this.close();
    this.list.replaceChildren(...(facts.length ? facts.map((one) => this.card(one))
      : [nothing('No destination yet', 'A webhook gets each stored event of this source within a second or two. Files and '
        + 'objects hold them by the hour, for a warehouse.')]));
    this.follow(destinations);
  }

  /// Looks again after a while, as long as events are sent once more or a function is rolled out.
  follow(destinations) {
    clearTimeout(this.following);
    if (!destinations.some(({ replay, rollout }) => replay?.state === 'running' || rollout?.state === 'running')) return;
    this.following = setTimeout(() => {
      if (!this.list.isConnected) return;
      // What the reader has opened or typed stays.
      if (document.querySelector('dialog[open]') || this.list.querySelector('details[open]')) this.follow(destinations);
      else begin(() => this.refresh());
    }, Limits.replayPause);
  }

  setReplay(pressed, name, step) {
    return this.change(pressed, async () => {
      const { state } = step === 'end' ? await Workspace.remove(this.path(name, '/replay'))
        : await Workspace.send('POST', this.path(name, `/replay/${step}`));
      return { paused: `What is sent to ${name} once more waits.`, running: `What is sent to ${name} once more goes on.`,
        ended: `Nothing more is sent to ${name} once more.` }[state];
    });
  }

  async change(pressed, work) {
    let said;
    const done = await Messages.during(pressed, async () => { said = await work(); });
    if (!done) return;
    await this.refresh();
    Messages.said(said);
  }

  card(facts) {
    const { destination } = facts;
    const figures = [
      ['Delivered', count(destination.delivered)], ['Waiting', count(destination.waiting)],
      ['Lag', destination.waitingSince ? span(Date.now() - Date.parse(destination.waitingSince)) : '–'],
      ['Dead letters', count(destination.deadLetters)], ['Skipped', count(destination.skipped)],
      ...(destination.categories.length || destination.withheld || destination.held
        ? [['Held back by consent', count(destination.withheld)], ['Held', count(destination.held)]] : []),
      ['Last delivered', destination.lastDeliveredAt ? TimeTable.long(Date.parse(destination.lastDeliveredAt)) : 'never'],
    ].map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
    const letters = element('div', { class: 'dead-letters' });
    return element('article', { class: 'card', 'data-name': destination.name },
      element('div', { class: 'part-head' }, element('h3', {}, destination.name),
        element('div', { class: 'actions' }, ...this.actions(destination, letters))),
      this.state(facts),
      replayLine(destination.replay, this.administers ? (pressed, step) => this.setReplay(pressed, destination.name, step) : undefined),
      this.rollout(destination), this.settings(destination),
      element('dl', { class: 'figures' }, ...figures), letters);
  }

  /// A roll-out of its function; few destinations have one, so its code is loaded when it is needed.
  rollout({ name, rollout }) {
    if (!rollout || rollout.state === 'finished' || rollout.state === 'ended') return undefined;
    const root = element('div', { class: 'stack', role: 'group', 'aria-label': `Roll-out of ${name}` });
    const act = this.administers ? (pressed, work) => this.change(pressed, work) : undefined;
    begin(async () => {
      const { FunctionRollout } = await import('../rollouts/function-rollout.js');
      root.replaceChildren(...new FunctionRollout(rollout, name, this.path(name), act).draw());
    });
    return root;
  }

  /// The code of the editor is loaded when the reader opens it.
  functionEditor(destination) {
    const body = element('div', { class: 'stack' });
    const open = async () => {
      if (!root.open || body.firstChild) return;
      body.append(note('One moment …'));
      const { FunctionEditor } = await import('../forms/function-editor.js');
      const editor = new FunctionEditor(destination, this.path(destination.name), this.source, (pressed, work) => this.change(pressed, work));
      this.editors.push(editor);
      await editor.open(body);
    };
    const root = element('details', { class: 'by-day', toggle: () => begin(open) }, element('summary', {}, 'Change the function'), body);
    return root;
  }

  settings(destination) {
    const { name, kind, settings, categories } = destination;
    const lines = [DestinationsPlace.place(kind, settings), DestinationsPlace.needs(categories)].filter(Boolean);
    if (!this.administers) return element('div', {}, ...lines);
    if (kind === 'function') return element('div', {}, ...lines, this.functionEditor(destination));
    const form = DestinationsPlace.form(kind, settings);
    const consent = new CategoriesField(categories);
    return element('div', {}, ...lines, element('details', { class: 'by-day' }, element('summary', {}, 'Change the settings'),
      element('form', {
        class: 'fields', submit: (event) => {
          event.preventDefault();
          return this.change(event.submitter, async () => {
            const change = { ...form.change, ...consent.change };
            const losses = destinationLosses(await Workspace.json(this.path(name)), change);
            await askBeforeLoss({ title: `Change the settings of ${name}?`, losses, action: 'Store settings' });
            await Workspace.send('PUT', this.path(name), change);
            return `The settings of ${name} are stored.`;
          });
        },
      }, ...form.fields, consent.field, element('button', { class: 'button', type: 'submit' }, 'Store settings'))));
  }

  static place(kind, settings) {
    if (kind === 'files') return DestinationsPlace.files(settings);
    if (kind === 'postgres') return DestinationsPlace.tables(settings.host, settings.database, 'schema', settings.schema);
    if (kind === 'clickhouse') return DestinationsPlace.tables(settings.url, '', 'database', settings.database);
    if (kind === 'function') return DestinationsPlace.function(settings);
    return kind === 's3' ? DestinationsPlace.bucket(settings) : DestinationsPlace.webhook(settings);
  }

  static form(kind, settings) {
    if (kind === 'files') return new FormatForm(settings);
    if (kind === 'postgres') return new DatabaseForm(settings);
    if (kind === 'clickhouse') return new ClickHouseForm(settings);
    return kind === 's3' ? new ObjectForm(settings) : new WebhookForm(settings);
  }

  static needs(categories) {
    return categories.length ? note(`Only events whose user allows ${categories.join(', ')}.`) : undefined;
  }

  static webhook({ url, batchEvents, headers }) {
    const more = [batchEvents ? `up to ${plural(batchEvents, 'event')} a request` : 'each event is a request',
      headers ? `with ${Object.keys(headers).join(', ')}` : ''].filter(Boolean).join(', ');
    return element('p', {}, element('code', {}, url), ` · ${more}`);
  }

  static bucket({ endpoint, bucket, prefix, format }) {
    return element('p', {}, element('code', {}, [endpoint, bucket, prefix].filter(Boolean).join('/')),
      ` · ${format === 'parquet' ? 'tables of Parquet' : 'compressed lines of JSON'}, an object for each hour`);
  }

  static files({ format }) {
    const content = format === 'parquet' ? 'Parquet, in a file for each hour' : 'Lines of JSON, in a compressed file for each hour';
    return note(`${content}, in the folder of serve --files-folder.`);
  }

  static tables(host, database, kind, name) {
    return element('p', {}, element('code', {}, [host, database].filter(Boolean).join(' ')), ` · tables of the ${kind} `,
      element('code', {}, name));
  }

  static function({ declaration, settings = {} }) {
    const { class: name, hosts = [] } = declaration || {};
    const places = hosts.map((host) => host.replace(/\{(\w+)\}/g, (whole, setting) => settings[setting] ?? whole));
    return element('p', {}, 'The function ', element('code', {}, name || '?'), ` · sends to ${places.join(', ') || 'nothing'}`);
  }

  /// The facts about a destination, worst first.
  state(facts) {
    return element('ul', { class: 'facts' }, ...facts.all.map(({ outcome, text, isOfFilters, rule, events }) => element('li', {
      class: 'note', 'data-outcome': outcome }, text, ...(events ? [' ', this.eventsLink(events)] : []), ...(isOfFilters ? [' ', element('a', {
      href: rule ? Address.ofRule(rule, this.source.writeKey) : Address.of('/filters') }, 'Open filters')] : []))));
  }

  eventsLink(query) {
    return element('a', { href: `/${query}&source=${encodeURIComponent(this.source.writeKey)}` }, 'Show such events');
  }

  actions(destination, letters) {
    const { name } = destination;
    const show = destination.deadLetters
      ? button(`Show ${plural(destination.deadLetters, 'dead letter')}`, () => this.showLetters(destination, letters)) : undefined;
    if (!this.administers) return [show].filter(Boolean);
    const paused = !destination.enabled;
    return [
      show, destination.held && destination.kind !== 's3' ? this.releaseButton(destination) : undefined,
      button('Test', (event) => this.test(event.target, name)),
      // Objects are written once.
      destination.kind !== 's3' && !isUnderWay(destination.replay)
        ? button('Send again …', (event) => this.sendAgain(event.target, name)) : undefined,
      button(paused ? 'Resume' : 'Pause', (event) => this.change(event.target, async () => {
        await Workspace.send('PUT', this.path(name), { enabled: paused });
        return paused ? `${name} is resumed.` : `${name} is paused.`;
      })),
      // The server does not sign files, and the operator of a store makes its secret.
      destination.kind === 'webhook' ? button('New secret', (event) => this.newSecret(event.target, name)) : undefined,
      button('Remove …', (event) => this.remove(event.target, destination)),
    ].filter(Boolean);
  }

  async sendAgain(pressed, name) {
    const question = new ReplayQuestion(name, this.path(name));
    if (!await question.ask()) return;
    await this.change(pressed, async () => {
      await question.begin();
      return `Stored events are sent to ${name} once more.`;
    });
  }

  releaseButton({ name, held }) {
    return button(`Send ${plural(held, 'held event')} …`, async (event) => {
      const yes = await confirmed({
        title: `Send what is held for ${name}?`, action: 'Send',
        text: `${name} gets ${plural(held, 'event')} that ${held === 1 ? 'says' : 'say'} nothing about consent, and cannot be made to `
          + `forget ${held === 1 ? 'it' : 'them'}. The policy of the source has to be “forward” first.`,
      });
      if (!yes) return;
      await this.change(event.target, async () => {
        let [sent, more] = [0, true];
        while (more) {
          const answer = await Workspace.send('POST', this.path(name, '/held/release'));
          sent += answer.released;
          more = answer.more;
        }
        return `${plural(sent, 'held event')} of ${name} ${sent === 1 ? 'is' : 'are'} sent now.`;
      });
    });
  }

  async test(pressed, name) {
    await this.change(pressed, async () => {
      const result = await Workspace.send('POST', this.path(name, '/test'));
      const text = `${name} answered ${result.answer} after ${span(result.milliseconds)}`;
      if (!result.accepted) throw new Error(`${text}, so it does not take events`);
      return `${text}.`;
    });
  }

  async newSecret(pressed, name) {
    const yes = await confirmed({
      title: `Make a new secret for ${name}?`, action: 'Make secret',
      text: 'The receiver checks signatures with it. For a day, the old secret signs as well. It is deleted then.',
    });
    if (!yes) return;
    await Messages.during(pressed, async () => {
      DestinationsPlace.tellSecret(name, (await Workspace.send('POST', this.path(name, '/secret'))).secret);
    });
  }

  static tellSecret(name, secret) {
    showSecret({
      title: `Secret of ${name}`, secret, copy: copyButton(() => secret),
      text: 'The receiver needs it to check signatures. It is shown only now.',
    });
  }

  async remove(pressed, { name, kind, waiting, deadLetters }) {
    const yes = await confirmed({
      title: `Remove ${name}?`, action: 'Remove', word: name,
      text: `It goes with its settings${kind === 'files' ? '' : ' and its secret'}. It never gets ${plural(waiting, 'event')} that `
        + `${waiting === 1 ? 'waits' : 'wait'} for it, and ${plural(deadLetters, 'dead letter')} of it `
        + `${deadLetters === 1 ? 'is' : 'are'} deleted. The events stay stored.`,
    });
    if (yes) {
      await this.change(pressed, async () => {
        await Workspace.remove(this.path(name));
        return `${name} is removed.`;
      });
    }
  }

  // Dead letters

  async showLetters(destination, root) {
    const { name } = destination;
    const retry = (pressed, sequences) => this.change(pressed, async () => {
      const { retried } = await Workspace.send('POST', this.path(name, '/dead-letters/retry'), sequences ? { sequences } : {});
      return `${plural(retried, 'dead letter')} of ${name} ${retried === 1 ? 'is' : 'are'} sent again.`;
    });
    await new DeadLetters({
      source: this.source, path: this.path(name), retry: this.administers ? retry : undefined,
      more: [button('Forget all …', (event) => this.forget(event.target, destination))],
    }).draw(root);
  }

  async forget(pressed, { name, deadLetters }) {
    const yes = await confirmed({
      title: `Forget all dead letters of ${name}?`, action: 'Forget',
      text: `${name} never gets the ${plural(deadLetters, 'event')} of its dead letters. They stay stored in the workspace.`,
    });
    if (yes) {
      await this.change(pressed, async () => {
        const { discarded } = await Workspace.remove(this.path(name, '/dead-letters'));
        return `${plural(discarded, 'dead letter')} of ${name} ${discarded === 1 ? 'is' : 'are'} forgotten.`;
      });
    }
  }

  // A new one

  newDestination() {
    const name = textInput('', { id: 'destination-name', required: true, maxlength: '100' });
    const from = choice([['now', 'Events from now on'], ['start', 'All stored events, too']], 'now', { id: 'from' });
    const consent = new CategoriesField([], 'destination-categories');
    const forms = {
      webhook: new WebhookForm({}, 'destination'), s3: new ObjectForm({}, 'objects'), postgres: new DatabaseForm({}, 'tables'),
      clickhouse: new ClickHouseForm({}, 'clickhouse'), files: new FormatForm({}, 'files'), function: new FunctionChoice(),
    };
    const fields = Object.entries(forms).map(([name, form]) => (
      { name, root: element('div', { class: 'fields' }, ...form.fields) }));
    const choose = () => {
      for (const { name, root } of fields) {
        root.hidden = name !== kind.value;
        // A field that is not shown must not keep the form from being sent.
        for (const input of root.querySelectorAll('input, textarea, select')) input.disabled = root.hidden;
      }
      if (kind.value === 'function') begin(() => forms.function.open());
    };
    const kinds = [['webhook', 'Webhook'], ['files', 'Files on the server'], ['s3', 'Objects in S3 or a store like it'],
      ['postgres', 'Tables in PostgreSQL'], ['clickhouse', 'Tables in ClickHouse'], ['function', 'A service, by a function in JavaScript']];
    const kind = choice(kinds, 'webhook', { id: 'destination-kind', change: choose });
    choose();
    return element('form', {
      class: 'stack', submit: (event) => {
        event.preventDefault();
        return this.change(event.submitter, async () => {
          const { change } = forms[kind.value];
          const made = await Workspace.send('PUT', this.path(name.value), {
            kind: kind.value, ...change, ...consent.change, from: from.value,
          });
          if (kind.value === 'webhook') DestinationsPlace.tellSecret(made.name, made.secret);
          event.target.reset();
          choose();
          return made.enabled ? `${made.name} gets events now.` : `${made.name} is made, and switched off. Try it, and press Resume.`;
        });
      },
    }, element('div', { class: 'fields' }, field('Kind', kind), field('Name', name, 'Filters use the same name.'),
      field('Starts with', from), consent.field), ...fields.map(({ root }) => root),
    element('div', { class: 'actions' }, element('button', { class: 'button', type: 'submit' }, 'Add destination')));
  }
}
