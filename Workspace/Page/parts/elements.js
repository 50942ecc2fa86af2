// Elements of the document. Strings always become text of the document, never markup.

import { begin } from './guard.js';
import { visible } from './text.js';

/// Begins work at each event of a target. When it fails, now or later, the page says so.
export function on(target, name, work, options = undefined) {
  target.addEventListener(name, (event) => begin(() => work(event)), options);
}

/// Makes an element; strings among the children become text, with their marks of direction in sight.
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function drawing(tag, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled(target, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') on(target, name, value);
    else target.setAttribute(name, value === true ? '' : value);
  }
  target.append(...children.filter((child) => child !== undefined && child !== null)
    .map((child) => (typeof child === 'string' ? visible(child) : child)));
  return target;
}

/// Text with its line breaks. It may be wider than its place, and keys scroll it too.
export function code(text, label, attributes = {}) {
  return element('pre', { class: 'code', tabindex: '0', role: 'group', 'aria-label': label, ...attributes }, text);
}

export const byId = (id) => document.getElementById(id);

/// Puts text on the clipboard; where the page has no right to it (plain HTTP from another machine), by a selection.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = element('textarea', { class: 'unseen', readonly: true });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('the browser refused');
  return undefined;
}

export function copyButton(text, label = 'Copy') {
  const button = element('button', { class: 'button small', type: 'button' }, label);
  on(button, 'click', async () => {
    try {
      await copy(text());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not copied';
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}

/// A part of the panel. A button as the last child is placed beside the title.
export function section(title, ...children) {
  const name = element('h3', {}, title);
  const action = children.at(-1)?.classList?.contains('button') ? children.pop() : undefined;
  return element('section', {}, element('div', { class: 'section-head' }, name, action), ...children);
}
