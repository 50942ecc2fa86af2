// A field for code: CodeMirror where the server has it, else a plain text area.

import { declarations } from './completions.js';
import { element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { addressOf, isThere, loadScripts } from '../api/libraries.js';
import { Limits } from '../api/limits.js';
import { plural, visible } from '../parts/text.js';

const Styles = ['codemirror.css', 'show-hint.css'];
const Files = ['codemirror.js', 'matchbrackets.js', 'show-hint.js'];
const Modes = { javascript: 'javascript', json: { name: 'javascript', json: true }, sql: 'text/x-sqlite' };

/// The beginning of a first line with tables, which goes out with the scripts of a bundle.
const TablesMark = '/*tributary tables ';

/// The line with tables, empty for a bundle without, and the script behind it.
export function partsOf(bundle) {
  const end = bundle.startsWith(TablesMark) ? bundle.indexOf('\n') + 1 || bundle.length : 0;
  return { tables: bundle.slice(0, end), code: bundle.slice(end) };
}

/// The tables of a line in words.
function tablesIn(line) {
  try {
    const summary = JSON.parse(line.slice(TablesMark.length, line.indexOf('*/')));
    const names = Object.entries(summary).map(([name, { entries, bytes }]) => (
      `${name} (${plural(entries, 'entry', 'entries')}, ${plural(bytes, 'byte')})`));
    return `Tables that go out with this text: ${names.join(', ')}. tributary plugin deploy --table replaces them.`;
  } catch {
    return 'This text has tables that cannot be read.'; // A check of the text says why.
  }
}

let hasStyles = false;

/// Loads CodeMirror once, and the file of a language.
function load(language) {
  if (!hasStyles) {
    document.head.prepend(...Styles.map((file) => element('link', { rel: 'stylesheet', href: addressOf(file) })));
  }
  hasStyles = true;
  return loadScripts([...Files, language === 'sql' ? 'sql.js' : 'javascript.js']);
}

/// A check of a text as it is typed: when nothing was typed for a moment, and one at a time. A later check ends an earlier one.
export class Check {
  /// `work` gets the signal that ends its request.
  constructor(work) {
    this.work = work;
  }

  soon() {
    this.repeats = Limits.checkRepeats;
    this.after(Limits.typingPause);
  }

  /// Makes a check that failed again, a few times.
  again() {
    if (this.repeats-- > 0) this.after(Limits.checkPause);
  }

  /// Ends the check, and begins no other.
  stop() {
    clearTimeout(this.timer);
    this.repeats = 0;
    this.request?.abort();
  }

  after(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => begin(() => this.now()), milliseconds);
  }

  async now() {
    clearTimeout(this.timer);
    this.request?.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      await this.work(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

export class Editor {
  /// `changed` is called after each change of the text. `language` is "javascript", "json" or "sql". `isStored` says whether
  /// the server has the text as well; `rows` is the height of the text area.
  constructor({ id, label, value, isStored = true, language = 'javascript', readOnly = false, rows = '22', changed = () => {} }) {
    Object.assign(this, { label, language, readOnly, changed });
    this.area = element('textarea', {
      id, class: 'code-input', rows, spellcheck: 'false', 'aria-label': label, readonly: readOnly,
      input: () => this.typed(),
    });
    this.tablesNote = element('p', { class: 'note tables' });
    this.area.value = this.takeTables(value);
    if (isStored) this.noteStored();
    this.hasErrors = false;
    this.findings = element('ol', { class: 'findings' });
    this.root = element('div', { class: 'editor' }, this.area, this.tablesNote, this.findings);
  }

  /// Call it when the element is in the document.
  async open() {
    if (!isThere('codemirror')) return;
    try {
      await load(this.language);
    } catch {
      return; // The text area stays.
    }
    this.mirror = window.CodeMirror.fromTextArea(this.area, {
      mode: Modes[this.language],
      lineNumbers: true, matchBrackets: true, indentUnit: 2, readOnly: this.readOnly, screenReaderLabel: this.label,
      // A phone has no room for long lines.
      lineWrapping: window.matchMedia('(max-width: 700px)').matches,
      // Tab leaves the field, so that every field can be reached with the keyboard.
      extraKeys: { Tab: false, 'Shift-Tab': false, 'Ctrl-Space': () => this.complete() },
    });
    // A text that the reader may not change has no cursor, which would scroll it.
    const scroller = this.mirror.getScrollerElement();
    for (const [name, value] of [['tabindex', '0'], ['role', 'group'], ['aria-label', `${this.label}, to be scrolled`]]) {
      scroller.setAttribute(name, value);
    }
    this.mirror.on('change', () => this.typed());
    this.mirror.on('inputRead', (_, change) => {
      if (change.text.at(-1).endsWith('.')) begin(() => this.complete());
    });
  }

  /// Offers completions at the cursor.
  async complete() {
    if (this.language !== 'javascript') return;
    const known = await declarations();
    this.mirror.showHint({ completeSingle: false, hint: () => this.hints(known) });
  }

  hints(known) {
    const cursor = this.mirror.getCursor();
    const { word, found } = known.after(this.mirror.getLine(cursor.line).slice(0, cursor.ch));
    const list = found.map(({ name, about }) => ({
      text: name,
      render: (target) => target.append(element('span', { title: about }, name), element('span', { class: 'about' }, about)),
    }));
    return { list, from: { line: cursor.line, ch: cursor.ch - word.length }, to: cursor };
  }

  /// The text that a person sees. It has no tables, because their line is too long for a field.
  get code() {
    return this.mirror ? this.mirror.getValue() : this.area.value;
  }

  /// The whole text. Tables stay with it, also when a person changes only the script.
  get value() {
    return this.tables + this.code;
  }

  set value(text) {
    const code = this.takeTables(text);
    if (this.mirror) this.mirror.setValue(code);
    else this.area.value = code;
  }

  /// Puts the tables of a text aside. Returns the script.
  takeTables(text) {
    const { tables, code } = partsOf(text);
    this.tables = tables;
    this.tablesNote.hidden = !tables;
    this.tablesNote.textContent = visible(tables && tablesIn(tables));
    return code;
  }

  /// A person has changed the text. One that was pasted with tables brings its own.
  typed() {
    if (this.code.startsWith(TablesMark)) this.value = this.code;
    this.changed();
  }

  /// Notes that the text in the field is one that can be got again.
  noteStored() {
    this.stored = this.value;
  }

  /// Whether the field has a text that only this page has.
  get isChanged() {
    return this.value !== this.stored;
  }

  /// Shows findings below the text, and marks their lines. A finding is `{severity, line, message}`.
  show(findings) {
    this.hasErrors = findings.some((finding) => finding.severity === 'error');
    this.findings.replaceChildren(...findings.map((finding) => element('li', {
      'data-outcome': finding.severity === 'error' ? 'failed' : 'changed',
    }, finding.line ? element('button', { class: 'link', type: 'button', click: () => this.goTo(finding.line) },
      `Line ${finding.line}`) : undefined, element('span', {}, finding.message))));
    this.markLines(findings);
  }

  markLines(findings) {
    if (!this.mirror) return;
    for (const line of this.marked || []) this.mirror.removeLineClass(line, 'background');
    this.marked = findings.filter((finding) => finding.line).map((finding) => this.mirror.addLineClass(
      Math.min(finding.line, this.mirror.lineCount()) - 1, 'background', `line-${finding.severity}`));
  }

  focus() {
    (this.mirror ?? this.area).focus();
  }

  /// Writes a text at the cursor.
  insert(text) {
    if (this.mirror) this.mirror.replaceSelection(text);
    else {
      this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, 'end');
      this.changed();
    }
    this.focus();
  }

  goTo(line) {
    if (this.mirror) {
      this.mirror.setCursor(line - 1, 0);
      this.mirror.focus();
      return;
    }
    const start = this.area.value.split('\n').slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    const end = this.area.value.indexOf('\n', start);
    this.area.focus();
    this.area.setSelectionRange(start, end < 0 ? this.area.value.length : end);
  }
}
