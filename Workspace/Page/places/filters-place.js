// Filter rules: forms, their JSON beside them, a dry run on stored events, deployment.

import { conditionsHere } from '../parts/conditions-bar.js';
import { TimeTable } from '../parts/details.js';
import { DraftKeeper } from '../rollouts/drafts.js';
import { DryRunReport } from '../rollouts/dry-run.js';
import { Check, Editor } from '../forms/editor.js';
import { element } from '../parts/elements.js';
import { FilterHealth } from '../rollouts/filter-health.js';
import { FilterReview, textOfRules } from '../rollouts/filter-review.js';
import { readJSON } from '../api/json.js';
import { Limits } from '../api/limits.js';
import { placed } from '../forms/rule-findings.js';
import { Messages } from '../parts/messages.js';
import { button, choice, nothing, note, part, table } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { PlanForm, Rollout } from '../rollouts/rollout.js';
import { RuleForm } from '../forms/rule-form.js';
import { formOf, isComplete, newForm, ruleOf, titleOfRule } from '../forms/rules.js';
import { Starts } from '../rollouts/starts.js';
import { Address } from './places.js';
import { plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const Paths = ['event', 'type', 'userId', 'anonymousId', 'name', 'properties.', 'context.', 'traits.'];

export class FiltersPlace {
  constructor(root, surroundings) {
    Object.assign(this, { root, source: surroundings.source, deploys: surroundings.may('deploy') });
    this.forms = element('div', { id: 'rules-forms' });
    this.result = element('div', { id: 'dry-run', class: 'trial', role: 'status' });
    this.known = new WeakMap(); // the form of a rule, which may say less than the rule
    this.drafts = new DraftKeeper('filter rules', this.source.writeKey, () => this.textChanged());
  }

  /// Call it when the place is left.
  close() {
    this.checking?.stop();
    this.drafts.close();
  }

  path(name) {
    return Workspace.source(this.source.writeKey, name);
  }

  /// `kept` is a text that was not deployed when the place was drawn before.
  async start(kept) {
    const [rules, destinations, versions, health] = await Promise.all([
      Workspace.json(this.path('filters')), Workspace.json(this.path('destinations')),
      Workspace.json(this.path('filters/versions')),
      Workspace.json(`/api/live-plugins/health?writeKey=${encodeURIComponent(this.source.writeKey)}`),
    ]);
    Object.assign(this, { versions, health });
    this.rules = rules;
    this.deployed = structuredClone(rules);
    const deployed = textOfRules(this.deployed);
    this.destinations = [...new Set(['Segment.io', ...Object.keys(this.source.integrations),
      ...destinations.destinations.map((one) => one.name)])];
    const started = this.started();
    if (started) this.rules.push(started);
    const value = kept ?? textOfRules(this.rules);
    this.editor = new Editor({
      id: 'rules-text', label: 'Rules as JSON', language: 'json', value, isStored: value === deployed,
      readOnly: !this.deploys, changed: () => this.textChanged(),
    });
    if (kept !== undefined) this.rules = this.read() || rules;
    this.drafts.attach(this.editor);
    const actions = this.deploys ? [
      button('Add a rule', () => this.add(), { id: 'add-rule' }),
      button('Dry run', (event) => this.dryRun(event.target), { id: 'dry-run-rules' }),
      this.shares(),
      this.deployButton = button('Deploy …', (event) => this.deploy(event.target), { id: 'deploy-rules', class: 'button strong' }),
    ] : [];
    this.root.replaceChildren(...[
      this.rollout(),
      part('Filters', actions, note('A rule decides what one destination gets: on the device for destinations there, and '
        + 'in the workspace for its own destinations.'), ...(this.deploys ? [this.plan.root, this.drafts.root] : []),
      element('div', { class: 'two' }, this.forms, this.editor.root), this.result),
      this.health.filters.length ? new FilterHealth(this.health).draw() : undefined,
      this.history(),
      FiltersPlace.list('destinations', this.destinations), FiltersPlace.list('paths', Paths),
    ].filter(Boolean));
    this.drawForms();
    if (started) this.forms.lastElementChild.scrollIntoView({ block: 'center' });
    await this.editor.open();
    this.reveal(Address.get('rule'));
    if (this.deploys) await this.check();
  }

  /// Shows the rule that the address names. A rule without a name has its number there.
  reveal(name) {
    if (!name || this.hasRevealed) return;
    this.hasRevealed = true;
    const card = [...this.forms.children].find((one) => [name, `${name}, without a name`].includes(one.querySelector('h3')?.textContent));
    if (!card) {
      Messages.said(`The rule “${name}” is not deployed now. Older versions are below.`, 'failed');
      return;
    }
    card.dataset.current = 'true';
    card.scrollIntoView({ block: 'center' });
  }

  /// The rule that the address asks for; undefined when it asks for none, or when the reader may not deploy rules.
  started() {
    const conditions = conditionsHere();
    if (this.deploys) return Starts.takeRule(this.destinations.at(-1), conditions);
    if (conditions.length) Messages.said('Your login may read filters, and not change them. So there is no new rule.', 'failed');
    return undefined;
  }

  // Versions, and a version for a share of the devices

  shares() {
    this.plan = new PlanForm();
    this.share = choice([['all', 'to all devices'], ['plan', 'to more devices in stages']], 'all', {
      id: 'share', 'aria-label': 'Deploy', change: () => { this.plan.root.hidden = this.share.value !== 'plan'; },
    });
    return this.share;
  }

  rollout() {
    const planned = this.health.filterRollout && new Rollout(this.health.filterRollout);
    const isNewest = planned?.version === this.versions.current;
    if (!planned || !(planned.isOpen || isNewest || planned.state === 'rolledBack')) return undefined;
    const shown = planned.draw(this.deploys, (pressed, work) => this.change(pressed, work), this.source.writeKey);
    if (planned.isOpen && this.deploys) {
      shown.querySelector('.actions').append(
        button('Show its rules', () => this.show(planned.version)),
        button('Roll back', (event) => this.rollBack(event.target, planned.previous || 0), { class: 'button danger' }));
    }
    return shown;
  }

  history() {
    const { versions, forAll } = this.versions;
    if (!versions.length) return undefined;
    const rows = versions.map((version) => {
      const cells = [
        `v${version.version}`, TimeTable.long(Date.parse(version.deployedAt)), `${version.percentage} %`,
        plural(version.rules, 'rule'), element('code', { title: version.sha256 }, version.sha256.slice(0, 12)),
        element('div', { class: 'actions' },
          button('Show', () => this.show(version.version), { class: 'button small' }),
          this.deploys && version.version !== forAll ? button('Deploy again',
            (event) => this.rollBack(event.target, version.version), { class: 'button small' }) : undefined),
      ];
      cells.attributes = { 'data-current': String(version.version === forAll) };
      return cells;
    });
    return part('Versions', [], table(['Version', 'Deployed', 'Devices', 'Rules', 'SHA-256', ''], rows,
      { label: 'Versions' }));
  }

  async change(pressed, work) {
    let said;
    const done = await Messages.during(pressed, async () => { said = await work(); });
    if (!done) return;
    await this.start(this.editor.isChanged ? this.editor.value : undefined);
    Messages.said(said);
  }

  /// Puts the rules of a version into the editor.
  async show(version) {
    const done = await Messages.during(undefined, async () => {
      this.drafts.leave();
      this.rules = await Workspace.json(this.path(`filters?version=${version}`));
    });
    if (!done) return;
    this.rulesChanged();
    this.editor.noteStored();
    this.drafts.keep();
    this.editor.root.scrollIntoView({ block: 'center' });
  }

  async rollBack(pressed, version) {
    let rules = [];
    const known = await Messages.during(pressed, async () => {
      if (version) rules = await Workspace.json(this.path(`filters?version=${version}`));
    });
    if (!known) return;
    const yes = await confirmed({
      title: version ? `Deploy version ${version} again?` : 'Deploy no rules?', action: 'Deploy again',
      text: 'It gets a new number and goes to all devices, which take it with their next look at the settings.',
      review: this.review(rules),
    });
    if (!yes) return;
    await this.change(pressed, async () => {
      const made = await Workspace.send('POST', this.path('filters/rollback'), { version });
      return `Version ${made.version} has the rules of version ${version}, for all devices.`;
    });
  }

  static list(id, values) {
    return element('datalist', { id }, ...values.map((value) => element('option', { value })));
  }

  // Forms and text; each changes the other

  drawForms() {
    this.forms.replaceChildren(...(this.rules.length ? this.rules.map((rule, index) => this.card(rule, index))
      : [nothing('No rule yet', 'Every destination gets every event. Add a rule to hold something back.')]));
  }

  card(rule, index) {
    const form = this.known.get(rule) || formOf(rule);
    const remove = this.deploys ? button('Remove', () => {
      this.rules.splice(index, 1);
      this.rulesChanged();
    }, { class: 'button small', 'aria-label': `Remove ${titleOfRule(rule?.name, index)}` }) : undefined;
    const title = titleOfRule(rule?.name, index);
    const content = form ? new RuleForm(form, {
      destinations: this.destinations, disabled: !this.deploys,
      changed: () => this.formChanged(index, form),
      redraw: () => {
        this.formChanged(index, form);
        this.drawForms();
      },
    }).draw() : [note('This rule says more than the form can show. Change its JSON.')];
    return element('article', { class: 'card' }, element('div', { class: 'part-head' }, element('h3', {}, title),
      element('div', { class: 'actions' }, ...[remove].filter(Boolean))), ...content);
  }

  formChanged(index, form) {
    this.rules[index] = this.ruleOf(form);
    this.writeText();
  }

  /// The rule of a form. A form that is not complete would not come back from its rule, so it is remembered.
  ruleOf(form) {
    const rule = ruleOf(form);
    this.known.set(rule, form);
    return rule;
  }

  rulesChanged() {
    this.writeText();
    this.drawForms();
  }

  writeText() {
    this.isWriting = true;
    this.editor.value = textOfRules(this.rules);
    this.isWriting = false;
    this.drafts.changed();
    this.judge();
    this.checkSoon();
  }

  /// Rules with a mistake cannot be deployed.
  judge() {
    if (!this.deploys) return;
    const incomplete = this.rules.some((rule) => this.known.has(rule) && !isComplete(this.known.get(rule)));
    const isOff = this.isBroken || incomplete || this.editor.hasErrors;
    this.deployButton.disabled = Boolean(isOff);
    this.deployButton.title = isOff ? 'Mend the mistakes first: they are named beside the rules and below the JSON.' : '';
  }

  textChanged() {
    if (this.isWriting) return;
    this.drafts.changed();
    const rules = this.read();
    if (rules) {
      this.rules = rules;
      this.drawForms();
      this.checkSoon();
    }
    this.judge();
  }

  /// Checks the rules when nothing was typed for a moment.
  checkSoon() {
    if (!this.deploys) return;
    this.checking ||= new Check((signal) => this.check(signal));
    this.checking.soon();
  }

  /// Shows what the workspace finds in the rules, with the lines.
  async check(signal) {
    const text = this.editor.value;
    if (!this.read()) return;
    try {
      const answer = await Workspace.answer(this.path(`filters/dry-run?last=${Limits.checkedEvents}`), text, 'POST',
        'application/json', signal);
      // A later text has a check of its own.
      if (text === this.editor.value) this.editor.show(placed(answer, text));
      this.judge();
    } catch {
      // The server may still be busy with an earlier text. A dry run says what is wrong.
      if (signal && !signal.aborted) this.checking.again();
    }
  }

  /// The rules of the text; undefined, with the reason below the text, when it is not valid.
  read() {
    try {
      const rules = readJSON(this.editor.value);
      if (!Array.isArray(rules)) throw new Error('the rules are a list: [ … ]');
      if (this.isBroken) this.editor.show([]);
      this.isBroken = false;
      return rules;
    } catch (error) {
      this.isBroken = true;
      this.editor.show([{ severity: 'error', message: error.message }]);
      return undefined;
    }
  }

  add() {
    this.rules.push(this.ruleOf({ ...newForm(), destination: this.destinations.at(-1) }));
    this.rulesChanged();
    this.forms.lastElementChild.scrollIntoView({ block: 'center' });
  }

  // Trying and deploying

  async dryRun(pressed) {
    const rules = this.read();
    if (!rules) return;
    this.result.replaceChildren(note('Trying the rules …'));
    const done = await Messages.during(pressed, async () => {
      const answer = await Workspace.send('POST', this.path('filters/dry-run'), rules);
      this.editor.show(placed(answer, this.editor.value));
      this.result.replaceChildren(...new DryRunReport(answer).draw());
    });
    if (!done) this.result.replaceChildren();
  }

  /// The review of rules, for the question before a deployment.
  review(rules) {
    const review = new FilterReview(this.path('filters/dry-run'), this.deployed, rules);
    return (signal) => review.look(signal);
  }

  async deploy(pressed) {
    const rules = this.read();
    if (!rules) return;
    const isOpen = ['running', 'paused'].includes(this.health.filterRollout?.state);
    if (JSON.stringify(rules) === JSON.stringify(this.deployed) && !isOpen) {
      Messages.said('These rules are deployed already.');
      return;
    }
    const staged = this.share.value === 'plan';
    const yes = await confirmed({
      title: staged ? `Deploy ${plural(rules.length, 'rule')} in stages?` : `Deploy ${plural(rules.length, 'rule')}?`,
      action: 'Deploy',
      text: `${staged ? 'More and more devices get them in place of the deployed rules.' : 'They replace the deployed rules.'} `
        + `Devices take them with their next look at the settings.${isOpen && !staged ? ' The roll-out ends.' : ''}`,
      review: this.review(rules),
    });
    if (!yes) return;
    await this.change(pressed, async () => {
      await Workspace.send('PUT', this.path(staged ? `filters?${this.plan.query}` : 'filters'), rules);
      this.editor.noteStored();
      this.drafts.leave();
      return `${plural(rules.length, 'rule')} deployed${staged ? ' in stages' : ''}.`;
    });
  }
}
