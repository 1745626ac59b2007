import { below } from './faults.js';
import type { Faults } from './faults.js';
import { GROUP_LENGTH_MAX, isSlug, SLUG_LENGTH_MAX } from './path-values.js';
import { LEVELS, LIMITS, REGIONS, RESOURCE_NAMES, SERIES_TYPES } from './resource.js';
import { checkReach, type SoundMatch } from './rule-reach.js';

/** Rules are tried in order for every call: a card is a short list. */
const RULES_MAX = 200;
const NAME_LENGTH_MAX = 100;
/** No log could keep them and give them back. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
/** No answer comes near to this many rows; a price for each must not add up past 2^53 - 1. */
const ROWS_MAX = 1_000_000;

/** The values that a member may have, or the most characters of a slug. */
type Allowed = readonly string[] | number;

const MATCH_VALUES: Readonly<Record<string, Allowed>> = {
  resource: RESOURCE_NAMES,
  level: LEVELS,
  type: SERIES_TYPES,
  limit: LIMITS,
  region: REGIONS,
  group: GROUP_LENGTH_MAX,
  category: SLUG_LENGTH_MAX,
};

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
  const members = faults.object(pointer, match, Object.keys(MATCH_VALUES));
  if (members === undefined) return undefined;
  for (const [name, value] of Object.entries(members)) {
    // A name that is no key of its own, such as `constructor`, is already a fault.
    const allowed = Object.hasOwn(MATCH_VALUES, name) ? MATCH_VALUES[name] : undefined;
    if (allowed !== undefined) validateMatchValue(faults, below(pointer, name), value, allowed);
  }
  if (isLast && Object.keys(members).length > 0) {
    faults.add(pointer, 'leaves no rule for what no rule matches: the last must match {}');
  }
  return faults.found.length === before ? (members as SoundMatch) : undefined;
}

function validateMatchValue(
  faults: Faults,
  pointer: string,
  value: unknown,
  allowed: Allowed,
): void {
  if (typeof allowed === 'number') {
    if (typeof value === 'string' && isSlug(value, allowed)) return;
    faults.add(pointer, `must be 1 to ${allowed} characters of a to z, 0 to 9 and "-"`);
  } else if (typeof value !== 'string' || !allowed.includes(value)) {
    faults.add(pointer, `must be one of ${allowed.join(', ')}`);
  }
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
