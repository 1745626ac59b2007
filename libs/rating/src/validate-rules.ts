import { below } from './faults.js';
import type { Faults } from './faults.js';
import { MATCH_FORMS, MATCH_MEMBERS } from './match-members.js';
import { formWords, isOfForm } from './path-values.js';
import { checkReach, type SoundMatch } from './rule-reach.js';

/** Rules are tried in order for every call: a card is a short list. */
const RULES_MAX = 200;
const NAME_LENGTH_MAX = 100;
/** No log could keep them and give them back. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
/** No answer comes near to this many rows; a price for each must not add up past 2^53 - 1. */
const ROWS_MAX = 1_000_000;

/**
 * Adds what is wrong with the rules of a card. `dataCostMax` is the most that the data of one
 * answer may cost, in credits. The last rule must match everything: a resource without a price
 * could be neither sold nor refused.
 */
export function validateRules(
  faults: Faults,
  pointer: string,
  rules: unknown,
  dataCostMax: number,
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
      sound[index] = validateMatch(faults, below(place, 'match'), members.match, isLast);
    }
    if (faults.has(place, members, 'data_cost')) {
      validateDataCost(faults, below(place, 'data_cost'), members.data_cost, dataCostMax);
    }
  }
  checkReach(faults, pointer, sound);
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
): SoundMatch | undefined {
  const before = faults.found.length;
  const members = faults.object(pointer, match, MATCH_MEMBERS);
  if (members === undefined) return undefined;
  for (const [name, value] of Object.entries(members)) {
    const member = MATCH_MEMBERS.find((known) => known === name);
    if (member === undefined) continue;
    const form = MATCH_FORMS[member];
    if (typeof value === 'string' && isOfForm(form, value)) continue;
    faults.add(below(pointer, name), `must be ${formWords(form)}`);
  }
  if (isLast && Object.keys(members).length > 0) {
    faults.add(pointer, 'leaves no rule for what no rule matches: the last must match {}');
  }
  return faults.found.length === before ? (members as SoundMatch) : undefined;
}

function validateDataCost(faults: Faults, pointer: string, cost: unknown, max: number): void {
  const members = faults.object(pointer, cost, ['flat', 'per_row']);
  if (members === undefined) return;
  const isFlat = Object.hasOwn(members, 'flat');
  const isPerRow = Object.hasOwn(members, 'per_row');
  if (isFlat === isPerRow) faults.add(pointer, 'must have one of flat and per_row');
  if (isFlat) faults.count(below(pointer, 'flat'), members.flat, 0, max);
  if (isPerRow) {
    const perRowMax = Math.floor(max / ROWS_MAX);
    faults.count(below(pointer, 'per_row'), members.per_row, 0, perRowMax);
  }
}
