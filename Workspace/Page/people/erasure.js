// Erasing a user: the question, the progress, and the result.

import { element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { confirmed } from '../parts/questions.js';
import { count, plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// The reader confirms a long id by typing this word.
const longestTypedId = 40;

export class Erasure {
  constructor(userId) {
    this.userId = userId;
  }

  /// Asks, erases, and shows the result. Returns whether the user was erased.
  async ask(pressed) {
    const suppresses = element('input', { type: 'checkbox' });
    const yes = await confirmed({
      more: [element('label', { class: 'line-choice' }, suppresses, ' Store nothing of this user from now on, either')],
      title: `Erase ${this.userId}?`, action: 'Erase for ever',
      word: /^[\w.@+:-]+$/.test(this.userId) && this.userId.length <= longestTypedId ? this.userId : 'erase',
      text: 'All events, rejected events, traces and signals of this user are erased, from all sources and all devices of '
        + 'the user, and the requests that brought them. What happened until now is not stored when a device sends it '
        + 'later. Saved questions that ask for the user are removed. Backups stay as they are, and so does what destinations got; webhooks that take deletions are asked to '
        + 'delete it. Nobody can undo this.',
    });
    return yes && Messages.during(pressed, () => this.erase(suppresses.checked));
  }

  async erase(suppresses) {
    const path = `/api/users?userId=${encodeURIComponent(this.userId)}${suppresses ? '&suppress=true' : ''}`;
    let answer = await Workspace.remove(path);
    while ('daysDone' in answer) {
      Messages.said(`Erasing: ${count(answer.daysDone)} of ${plural(answer.days, 'day')} looked through, `
        + `${plural(answer.eventsDone, 'event')} erased.`, 'waiting');
      answer = await Workspace.remove(path);
    }
    const unread = answer.unreadableFiles
      ? ` ${plural(answer.unreadableFiles, 'file')} could not be read; the documentation of tributary doctor says more.`
      : '';
    const questions = [[answer.removedQuestions, ' Saved questions that asked for the user are removed: '],
      [answer.questionsWithId, ' Saved questions with the id in another place; look at them: ']]
      .filter(([names]) => names?.length).map(([names, words]) => `${words}${names.join(', ')}.`).join('');
    Messages.said(`Erased: ${plural(answer.events, 'event')}, ${plural(answer.rejected, 'rejected event')}, `
      + `${plural(answer.traces, 'trace')}, ${plural(answer.signals, 'signal')}.${unread}${questions}`, unread || questions ? 'failed' : 'stored');
  }
}
