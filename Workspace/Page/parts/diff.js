// The differences of two texts, by lines.

import { element } from './elements.js';
import { Limits } from '../api/limits.js';
import { plural, shortened } from './text.js';

/// The lines of both texts in order: `{sign: ' ', '-' or '+', text}`. The longest common part stays; lines beyond the
/// limit are compared as one.
export function lineDiff(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const same = (lines) => lines.map((text) => ({ sign: ' ', text }));
  const middle = between(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))];
}

/// The difference where the texts have no common beginning or end.
function between(old, now) {
  const gone = (lines) => lines.map((text) => ({ sign: '-', text }));
  const come = (lines) => lines.map((text) => ({ sign: '+', text }));
  if (!old.length || !now.length || old.length + now.length > Limits.diffLines) return [...gone(old), ...come(now)];
  // lengths[i][j] is the number of common lines of old from i and now from j.
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = old[i] === now[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push({ sign: ' ', text: old[i] });
      i += 1;
      j += 1;
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) {
      lines.push({ sign: '-', text: old[i] });
      i += 1;
    } else {
      lines.push({ sign: '+', text: now[j] });
      j += 1;
    }
  }
  return [...lines, ...gone(old.slice(i)), ...come(now.slice(j))];
}

/// The changed lines with a few lines around them.
export function drawDiff(before, after, around = 3) {
  const lines = lineDiff(before, after);
  const near = new Set(lines.flatMap((line, index) => (line.sign === ' ' ? []
    : Array.from({ length: 2 * around + 1 }, (_, offset) => index - around + offset))));
  if (!near.size) return element('p', { class: 'note' }, 'The texts are the same.');
  const rows = [];
  let hidden = 0;
  const fold = () => {
    if (hidden) rows.push(element('div', { class: 'diff-fold' }, `… ${plural(hidden, 'line')} without changes`));
    hidden = 0;
  };
  lines.forEach((line, index) => {
    if (!near.has(index)) {
      hidden += 1;
      return;
    }
    fold();
    rows.push(row(line));
  });
  fold();
  return element('div', { class: 'diff', tabindex: '0', role: 'region', 'aria-label': 'Changed lines' }, ...rows);
}

function row(line) {
  const kind = { '-': 'before', '+': 'after', ' ': 'same' }[line.sign];
  const name = { '-': 'removed', '+': 'added' }[line.sign];
  const sign = { '-': '−', '+': '+', ' ': ' ' }[line.sign];
  return element('div', { class: kind },
    element('span', name ? { class: 'sign', role: 'img', 'aria-label': name } : { class: 'sign' }, sign),
    element('code', {}, shortened(line.text, Limits.diffLetters)));
}

/// How two JSON values differ: `{path, before, after}` for each place; a missing side is undefined.
export function valueDiff(before, after, path = '') {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isObject(before) || !isObject(after)) return [{ path: path || 'event', before, after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => valueDiff(before[key], after[key], path ? `${path}.${key}` : key));
}

/// The places where two events differ, each with its value before and after.
export function drawValueDiff(before, after) {
  const side = (kind, sign, value) => (value === undefined ? undefined : element('div', { class: kind },
    element('span', { class: 'sign', role: 'img', 'aria-label': kind }, sign),
    element('code', {}, JSON.stringify(value))));
  return element('ul', { class: 'changes' }, ...valueDiff(before, after).map((change) => element('li', {},
    element('div', { class: 'change-path' }, element('code', {}, change.path)),
    side('before', '−', change.before), side('after', '+', change.after))));
}
