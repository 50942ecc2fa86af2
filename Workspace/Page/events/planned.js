// How one event compares with the tracking plan of its source.

import { element } from '../parts/elements.js';
import { note } from '../parts/parts.js';
import { Plan } from '../catalog/plan.js';
import { Address } from '../places/places.js';
import { Workspace } from '../api/workspace.js';

/// The comparison, with a link to the plan.
export async function comparison({ messageId, type, name }) {
  if (!messageId || Address.isPoints(messageId)) return [note('The page cannot ask for an event of this id.')];
  const { writeKey, hasPlan, problems } = await Workspace.json(`/api/events/${encodeURIComponent(messageId)}/plan`);
  const isPlanned = hasPlan && !problems.some(({ problem }) => problem === 'event');
  const link = (words, event) => element('a', { href: Plan.address(writeKey, event) }, words);
  if (!hasPlan) return [note('The source has no planned events.'), link('Open the plan')];
  const words = problems.length ? `Differs from the plan: ${problems.map(Plan.problem).join('; ')}.` : 'As planned.';
  return [note(words, problems.length ? 'failed' : 'delivered'),
    isPlanned ? link(`Open ${name || type} in the plan`, { type, name }) : link('Open the plan')];
}
