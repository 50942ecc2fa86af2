// Filter rules as forms: a rule that a form can show becomes one, and each form becomes a rule.

import { Condition, exactText, MostConditions } from '../api/conditions.js';

/// The comparisons of a condition, with their words.
export const Comparisons = Object.freeze([
  ['=', 'is'], ['!=', 'is not'], ['contains', 'contains'], ['match', 'matches the pattern'],
  ['>', 'is more than'], ['>=', 'is at least'], ['<', 'is less than'], ['<=', 'is at most'],
  ['exists', 'is there'], ['absent', 'is not there'],
]);

/// The actions of a rule, with their words.
export const Actions = Object.freeze([
  ['drop', 'Drop the event'], ['drop_properties', 'Remove properties'],
  ['allow_properties', 'Keep only these properties'], ['sample_event', 'Let a share of events through'],
]);

/// The name of a rule. One without a name has its number, counted from 0 as in the reports of devices and in errors.
export const titleOfRule = (name, number) => name || `rule ${number}, without a name`;

export const needsNoValue = (comparison) => comparison === 'exists' || comparison === 'absent';

/// A condition that is still to be filled in.
export const newCondition = () => ({ path: 'event', comparison: '=', value: '' });

/// A form: `{name, destination, join, conditions: [{path, comparison, value}], action, properties, share, by}`. With the
/// join "every" it is for every event, and its conditions do not count.
export function newForm() {
  return {
    name: '', destination: '', join: 'and', conditions: [newCondition()], action: 'drop', properties: '', share: '100', by: 'userId',
  };
}

/// Whether a form says which events it is for.
export function isComplete({ join, conditions }) {
  if (join === 'every') return true;
  return conditions.length > 0 && conditions.every(({ path, comparison, value }) =>
    path.trim() && (needsNoValue(comparison) || value !== ''));
}

// From rules to forms

/// The form of a rule; undefined for a rule that a form cannot show.
export function formOf(rule) {
  const isKnown = rule && typeof rule === 'object' && Object.keys(rule).every((key) =>
    ['name', 'destinationName', 'matchers', 'transformers'].includes(key));
  if (!isKnown || rule.matchers?.length !== 1 || rule.transformers?.length !== 1) return undefined;
  if (rule.transformers[0].length !== 1) return undefined;
  const conditions = conditionsOf(rule.matchers[0]);
  const action = actionOf(rule.transformers[0][0]);
  if (!conditions || !action) return undefined;
  return { ...newForm(), name: rule.name || '', destination: rule.destinationName || '', ...conditions, ...action };
}

function conditionsOf(matcher) {
  if (matcher.type === 'all') return { join: 'every', conditions: [] };
  if (matcher.type !== 'fql') return undefined;
  if (matcher.ir === '') return { join: 'and', conditions: [newCondition()] };
  try {
    return conditionsOfExpression(JSON.parse(matcher.ir));
  } catch {
    return undefined;
  }
}

/// The conditions of an expression of FQL; undefined when a form cannot show them.
export function conditionsOfExpression(expression) {
  const isJoined = Array.isArray(expression) && ['and', 'or'].includes(expression[0]) && expression.length > 1;
  const conditions = (isJoined ? expression.slice(1) : [expression]).map(conditionOf);
  return conditions.every(Boolean) ? { join: isJoined ? expression[0] : 'and', conditions } : undefined;
}

function conditionOf(expression) {
  if (!Array.isArray(expression) || expression.length !== 3 || typeof expression[1] !== 'string') return undefined;
  const [comparison, path, literal] = expression;
  if (literal === null || typeof literal !== 'object' || Array.isArray(literal)) return undefined;
  if (!Object.keys(literal).length) {
    const word = { '=': 'absent', '!=': 'exists' }[comparison];
    return word && { path, comparison: word, value: '' };
  }
  const isSimple = Object.keys(literal).join() === 'value' && (literal.value === null || typeof literal.value !== 'object');
  if (!isSimple || !Comparisons.some(([name]) => name === comparison)) return undefined;
  return { path, comparison, value: textOfValue(literal.value) };
}

function actionOf(transformer) {
  const { type, config } = transformer;
  if (type === 'drop') return { action: type };
  if (type === 'sample_event') {
    const { percent, path } = config?.sample || {};
    return typeof percent === 'number' ? { action: type, share: String(percent * 100), by: path || '' } : undefined;
  }
  const lists = { drop_properties: config?.drop, allow_properties: config?.allow }[type];
  if (!lists || Object.keys(lists).join() !== 'properties') return undefined;
  return { action: type, properties: lists.properties.join(', ') };
}

/// The comparisons of a form as those of a list of events.
const ListSigns = { '=': '=', '!=': '!=', contains: '~', '>': '>', '>=': '>=', '<': '<', '<=': '<=', exists: undefined };

/// The conditions of a rule that drops events, as conditions of a list; none for a rule for every event. Undefined when a list has no
/// such conditions.
export function listConditions(rule) {
  const form = formOf(rule);
  if (form?.action !== 'drop') return undefined;
  if (form.join === 'every') return [];
  if (form.join === 'or' && form.conditions.length > 1) return undefined;
  const conditions = form.conditions.map(listCondition);
  return conditions.every(Boolean) && conditions.length <= MostConditions ? conditions : undefined;
}

function listCondition({ path, comparison, value }) {
  // A backslash in a path of FQL has a meaning of its own.
  if (!Object.hasOwn(ListSigns, comparison) || path.includes('\\')) return undefined;
  const number = valueOfText(value);
  const isOrder = /^[<>]/.test(comparison);
  const isText = typeof number === 'string';
  // FQL reads texts as numbers here, which a list does not.
  if ((isOrder && typeof number !== 'number') || (comparison === 'contains' && !isText)) return undefined;
  return Condition.of(path.split('.'), ListSigns[comparison], JSON.stringify(number));
}

/// The conditions of a list as those of a form; undefined when a rule has no such conditions.
export function formConditions(conditions) {
  const found = conditions.map(formCondition);
  return found.length && found.every(Boolean) ? found : undefined;
}

function formCondition({ keys, comparison, value }) {
  // A point and a backslash in a key have a meaning of their own in a path of FQL.
  if (!keys || keys.some((key) => /[.\\]/.test(key))) return undefined;
  const path = keys.join('.');
  if (!comparison) return { path, comparison: 'exists', value: '' };
  const literal = JSON.parse(value);
  if (exactText(literal) === undefined) return undefined;
  // FQL reads texts as numbers here, which a list does not.
  if (/^[<>]/.test(comparison) && typeof literal !== 'number') return undefined;
  const [word] = Object.entries(ListSigns).find(([, sign]) => sign === comparison);
  return { path, comparison: word, value: textOfValue(literal) };
}

// From forms to rules

export function ruleOf(form) {
  const rule = { destinationName: form.destination, matchers: [matcherOf(form)], transformers: [[transformerOf(form)]] };
  return form.name ? { name: form.name, ...rule } : rule;
}

/// The matcher of a form. While the form is not complete, its expression is empty, which the server does not deploy.
function matcherOf(form) {
  if (form.join === 'every') return { type: 'all' };
  return { type: 'fql', ir: isComplete(form) ? JSON.stringify(expressionOf(form)) : '' };
}

/// The conditions of a form as an expression of FQL; undefined for every event, and while there is no condition.
export function expressionOf(form) {
  if (form.join === 'every' || !form.conditions.length) return undefined;
  const expressions = form.conditions.map((condition) => {
    const { path, comparison } = condition;
    if (comparison === 'exists') return ['!=', path, {}];
    if (comparison === 'absent') return ['=', path, {}];
    return [comparison, path, { value: valueOfText(condition.value) }];
  });
  return expressions.length === 1 ? expressions[0] : [form.join, ...expressions];
}

function transformerOf(form) {
  const properties = form.properties.split(',').map((name) => name.trim()).filter(Boolean);
  switch (form.action) {
    case 'drop_properties': return { type: form.action, config: { drop: { properties } } };
    case 'allow_properties': return { type: form.action, config: { allow: { properties } } };
    case 'sample_event': {
      const sample = { percent: Number(form.share) / 100, ...(form.by ? { path: form.by } : {}) };
      return { type: form.action, config: { sample } };
    }
    default: return { type: 'drop' };
  }
}

// Values: 42, true and null are a number, a truth value and null. A text that looks like one of these needs quotes.

const looksLikeValue = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|".*")$/s;

export function valueOfText(text) {
  if (!looksLikeValue.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOfValue(value) {
  if (typeof value !== 'string') return JSON.stringify(value);
  return !value || looksLikeValue.test(value) ? JSON.stringify(value) : value;
}
