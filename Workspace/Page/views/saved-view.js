// Saved questions: a name for the address of a place.

import { element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { button, field, textInput } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { Workspace } from '../api/workspace.js';

export function viewPath(name) {
  return `/api/views/${encodeURIComponent(name)}`;
}

/// Asks for a name. Returns it, and whether the question shall be on the board; nothing when the reader says no.
export async function askName({ title, text, action, name = '', withBoard = false }) {
  const input = textInput(name, { id: 'view-name', required: true, maxlength: '100' });
  const board = element('input', { type: 'checkbox', id: 'view-board' });
  const box = element('label', { class: 'line-choice' }, board, 'Show it on the board');
  const yes = await confirmed({
    title, text, action, isHarmless: true, more: [field('Name', input), ...(withBoard ? [box] : [])],
  });
  return yes ? { name: input.value.trim(), onBoard: board.checked } : undefined;
}

/// Saves the question of the address. A name that is taken is replaced only after a question.
async function save(source) {
  const asked = await askName({
    title: 'Save this question', action: 'Save', withBoard: true,
    text: 'All readers of this workspace find it under Board.',
  });
  if (!asked?.name) return;
  const { views } = await Workspace.json('/api/views');
  const old = views.find(({ name }) => name === asked.name);
  const replaces = !old || await confirmed({
    title: `Replace ${old.name}?`, action: 'Replace', text: 'There is a saved question of this name. The question that is shown now takes its place.',
  });
  if (!replaces) return;
  const query = new URLSearchParams(location.search);
  // Without it, the question would be about the first source of the workspace, which may change.
  if (!query.get('source')) query.set('source', source.writeKey);
  const onBoard = asked.onBoard && !old?.board;
  await Workspace.send('PUT', viewPath(asked.name), {
    place: 'explore', query: query.toString(), ...(onBoard ? { board: views.length + 1 } : {}),
  });
  Messages.said(`${asked.name} is saved.`, 'stored', { href: '/board', words: 'Open the board' });
}

/// The button that saves the question of Explore; nothing for readers who may not.
export function saveButton(surroundings) {
  if (!surroundings.may('deploy')) return undefined;
  return button('Save question', (event) => Messages.during(event.target, () => save(surroundings.source)), { id: 'save-question' });
}
