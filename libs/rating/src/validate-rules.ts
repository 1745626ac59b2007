import { below } from './faults.js';
import type { Faults } from './faults.js';
import { INDEX } from './index-keys.js';
import { MATCH_FORMS, MATCH_MEMBERS } from './match-members.js';
import { isMemberName, isMemberValue, isName, ROWS } from './named-resource.js';
import { formWords, isOfForm } from './path-values.js';
import { checkReach, type SoundMatch } from './rule-reach.js';

/** Rules are tried in order for every call: a card is a short list. */
const RULES_MAX = 200;
const NAME_LENGTH_MAX = 100;
/** No log could keep them and give them back. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
/** No answer comes near to this many rows; a price for each must not add up past 2^53 - 1. */
const ROWS_MAX = 1_000_000;
/** Of one price; a sum of so many of them is still read by people. */
const UNITS_MAX = 16;

/**
 * Adds what is wrong with the rules of a card of a product. `dataCostMax` is the most that the data
 * of one answer may cost, in credits. The last rule must match everything: a resource without a
 * price could be neither sold nor refused.
 */
export function validateRules(
  faults: Faults,
  pointer: string,
  rules: unknown,
  dataCostMax: number,
  product: string,
): void {
  if (!Array.isArray(rules) || rules.length === 0 || rules.length > RULES_MAX) {
    faults.add(pointer, `must be a list of 1 to ${RULES_MAX} rules`);
    return;
  }
  const names = new Map<string, number>();
  const sound: (SoundMatch | undefined)[] = [];
  for (const [index, rule] of rules.entries()) {
    const place = below(pointer, index);
    const members = faults.object(place, rule, ['name', 'match', 'data_cost']);
    if (members === undefined) continue;
    if (faults.has(place, members, 'name')) {
      validateName(faults, below(place, 'name'), members.name, names, index);
    }
    if (faults.has(place, members, 'match')) {
      const isLast = index === rules.length - 1;
      sound[index] = validateMatch(faults, below(place, 'match'), members.match, isLast, product);
    }
    if (faults.has(place, members, 'data_cost')) {
      const costs = { max: dataCostMax, product };
      validateDataCost(faults, below(place, 'data_cost'), members.data_cost, costs);
    }
  }
  checkReach(faults, pointer, sound, product);
}

function validateName(
  faults: Faults,
  pointer: string,
  name: unknown,
  names: Map<string, number>,
  index: number,
): void {
  if (typeof name !== 'string' || name.trim() === '' || name.length > NAME_LENGTH_MAX) {
    faults.add(pointer, `must be a text of 1 to ${NAME_LENGTH_MAX} characters`);
    return;
  }
  if (UNPRINTABLE.test(name)) faults.add(pointer, 'must not hold control characters');
  const earlier = names.get(name);
  if (earlier === undefined) names.set(name, index);
  else faults.add(pointer, `is already the name of rule ${earlier}`);
}

/** The match, unless something is wrong with it. */
function validateMatch(
  faults: Faults,
  pointer: string,
  match: unknown,
  isLast: boolean,
  product: string,
): SoundMatch | undefined {
  const before = faults.found.length;
  const members =
    product === INDEX ? indexMatch(faults, pointer, match) : namedMatch(faults, pointer, match);
  if (members === undefined) return undefined;
  if (isLast && Object.keys(members).length > 0) {
    faults.add(pointer, 'leaves no rule for what no rule matches: the last must match {}');
  }
  return faults.found.length === before ? (members as SoundMatch) : undefined;
}

/** The members of a match of the index, each with the values that its paths can have. */
function indexMatch(faults: Faults, pointer: string, match: unknown) {
  const members = faults.object(pointer, match, MATCH_MEMBERS);
  if (members === undefined) return undefined;
  for (const [name, value] of Object.entries(members)) {
    const member = MATCH_MEMBERS.find((known) => known === name);
    if (member === undefined) continue;
    const form = MATCH_FORMS[member];
    if (typeof value === 'string' && isOfForm(form, value)) continue;
    faults.add(below(pointer, name), `must be ${formWords(form)}`);
  }
  return members;
}

/** The members of a match of another product, whose names and values nobody has stated. */
function namedMatch(faults: Faults, pointer: string, match: unknown) {
  const members = faults.object(pointer, match);
  if (members === undefined) return undefined;
  for (const [name, value] of Object.entries(members)) {
    const place = below(pointer, name);
    if (name === 'resource') {
      if (typeof value === 'string' && isName(value)) continue;
      faults.add(place, 'must be 1 to 32 characters of a to z, 0 to 9 and "-"');
    } else if (!isMemberName(name)) {
      faults.add(place, 'is no name of a member: 1 to 32 characters of a to z, 0 to 9 and "_"');
    } else if (typeof value !== 'string' || !isMemberValue(value)) {
      faults.add(place, 'must be a text of 1 to 128 characters');
    }
  }
  return members;
}

const COSTS = ['flat', 'per_row', 'per'] as const;

function validateDataCost(
  faults: Faults,
  pointer: string,
  cost: unknown,
  { max, product }: { readonly max: number; readonly product: string },
): void {
  const members = faults.object(pointer, cost, [...COSTS, 'of']);
  if (members === undefined) return;
  const [form, another] = COSTS.filter((name) => Object.hasOwn(members, name));
  if (form === undefined || another !== undefined) {
    faults.add(pointer, 'must have one of flat, per_row, and per with of');
  }
  if ('flat' in members) faults.count(below(pointer, 'flat'), members.flat, 0, max);
  const perRowMax = Math.floor(max / ROWS_MAX);
  if ('per_row' in members) {
    faults.count(below(pointer, 'per_row'), members.per_row, 0, perRowMax);
  }
  if ('per' in members) {
    validateUnits(faults, below(pointer, 'per'), members.per, perRowMax, product);
    if (faults.has(pointer, members, 'of')) {
      faults.count(below(pointer, 'of'), members.of, 1, Number.MAX_SAFE_INTEGER);
    }
  } else if ('of' in members) faults.add(below(pointer, 'of'), 'belongs to per');
}

/** Prices by unit. Those of the index are its rows. */
function validateUnits(
  faults: Faults,
  pointer: string,
  per: unknown,
  priceMax: number,
  product: string,
): void {
  const units = faults.object(pointer, per);
  if (units === undefined) return;
  const names = Object.keys(units);
  if (names.length === 0 || names.length > UNITS_MAX) {
    faults.add(pointer, `must price 1 to ${UNITS_MAX} units`);
  }
  for (const name of names) {
    const place = below(pointer, name);
    if (product === INDEX && name !== ROWS) faults.add(place, 'is no unit here; known is rows');
    else if (!isMemberName(name)) {
      faults.add(place, 'is no name of a unit: 1 to 32 characters of a to z, 0 to 9 and "_"');
    }
    faults.count(place, units[name], 0, priceMax);
  }
}
