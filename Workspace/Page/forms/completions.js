// Completions for live plugins, read from the same TypeScript declarations that authors get.

import { Workspace } from '../api/workspace.js';

/// The usual names of the parameters of plugins and generators, with their types.
const Parameters = {
  event: ['AnalyticsEvent', 'TrackEvent', 'IdentifyEvent', 'ScreenEvent', 'GroupEvent', 'AliasEvent'],
  signal: ['RawSignal'],
  this: ['LivePlugin'],
};

/// Names and their members, with a line about each.
export class Declarations {
  types = new Map(); // the members of classes, interfaces and constants
  names = []; // names that can be used anywhere
  signalData = []; // the members of the data of signals

  constructor(text) {
    let about = [];
    let open;
    for (const line of text.split('\n')) {
      if (/^\s*(\/\*\*|\*)/.test(line)) about.push(line);
      else {
        open = this.read(line, Declarations.sentence(about), open);
        about = [];
      }
    }
    for (const [, members] of text.matchAll(/RawSignal<\{([^}]*)\}/g)) {
      this.signalData.push(...[...members.matchAll(/(\w+)\??:/g)].map(([, name]) => ({ name, about: '' })));
    }
  }

  /// Reads a line; returns the members of the declaration that is open after the line.
  read(line, about, open) {
    const block = /^(?:declare )?(class|const|interface) (\w+)(?:<.*?>)?(?: extends (\w+))?.*\{$/.exec(line);
    if (block) {
      const [, kind, name, parent] = block;
      if (kind !== 'interface') this.names.push({ name, about });
      const members = [...(this.types.get(parent) || [])];
      this.types.set(name, members);
      return members;
    }
    const single = /^declare (?:const|function) (\w+)(?:: (\w+);)?/.exec(line);
    if (single) {
      this.names.push({ name: single[1], about });
      if (single[2]) this.types.set(single[1], this.types.get(single[2]) || []);
      return undefined;
    }
    const member = /^ {4}(?:readonly )?(\w+)(\??[(:<].*?);?$/.exec(line);
    if (open && member && member[1] !== 'constructor') open.push({ name: member[1], about: about || member[2] });
    return line.startsWith('}') ? undefined : open;
  }

  /// The first sentence of a comment.
  static sentence(lines) {
    const words = lines.map((line) => line.replace(/^\s*(\/\*\*|\*\/|\*)/, '').replace(/\*\/\s*$/, '').trim()).join(' ').trim();
    return words.split(/(?<=[.;]) /)[0];
  }

  /// The names that can complete a line: `[{name, about}]`, each beginning with the last word of the text, and that
  /// word.
  after(text) {
    const [, path, word] = /((?:\w+\.)*)(\w*)$/.exec(text);
    const candidates = path ? this.members(path.split('.').slice(0, -1)) : this.names;
    const seen = new Set();
    const found = candidates.filter(({ name }) => name.startsWith(word) && name !== word && !seen.has(name) && seen.add(name));
    return { word, found };
  }

  members(path) {
    if (path.join('.') === 'signal.data') return this.signalData;
    if (path.length > 1) return [];
    const types = Parameters[path[0]] || [path[0]];
    return types.flatMap((type) => this.types.get(type) || []);
  }
}

let loading;

/// The declarations of the server's version.
export function declarations() {
  loading ||= Workspace.text(new URL('./liveplugins.d.ts', import.meta.url).href).then((text) => new Declarations(text));
  return loading;
}
