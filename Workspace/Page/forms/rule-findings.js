// Findings about filter rules, with the lines of the text that they are about.

import { ExactJSON, member } from '../api/json.js';

/// The problems and findings of a dry run as the editor shows them.
export function placed(answer, text) {
  const rules = ExactJSON.parse(text);
  const line = ({ rule, path }) => {
    const node = rule === undefined ? undefined : nodeAt(rules.items?.[rule], path);
    return node ? text.slice(0, node.start).split('\n').length : undefined;
  };
  return [
    ...answer.problems.map((problem) => ({ severity: 'error', line: line(problem), message: problem.text })),
    ...answer.findings.map((finding) => ({ severity: finding.severity, line: line(finding), message: finding.text })),
  ];
}

/// The part of a rule that a path such as `matchers[0].ir[2]` names. An expression is a text inside of the rule, so a path
/// ends there.
function nodeAt(rule, path) {
  let found = rule;
  for (const [, key, index] of (path || '').matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const next = index === undefined ? member(found, key) : found?.items?.[Number(index)];
    if (!next) break;
    found = next;
  }
  return found;
}
