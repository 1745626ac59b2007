import { below } from './faults.js';
import type { Faults } from './faults.js';
import { INDEX } from './index-keys.js';
import { KEY_SHAPES } from './path-shapes.js';
import { formWords, isOfForm } from './path-values.js';
import { PARAMETERS, RESOURCE_NAMES } from './resource.js';
import type { Form, ResourceName } from './resource.js';

/** A rule's match whose names and values are all right by themselves. */
export type SoundMatch = Readonly<Record<string, string>>;

/**
 * Adds a fault for each rule that can never give a price: because no resource has what it asks for,
 * or because an earlier rule takes all that it matches. It would stand there and mean something to
 * its reader that it does not do. `matches`: undefined where a rule has faults of its own.
 */
export function checkReach(
  faults: Faults,
  pointer: string,
  matches: readonly (SoundMatch | undefined)[],
  product: string,
): void {
  for (const [index, match] of matches.entries()) {
    if (match === undefined) continue;
    const place = below(below(pointer, index), 'match');
    const isOfIndex = product === INDEX;
    if (isOfIndex && matchable(match).length === 0) {
      faults.add(place, `matches nothing: ${whyNothing(match)}`);
      continue;
    }
    const earlier = matches.findIndex(
      (other, at) =>
        at < index && other !== undefined && (isOfIndex ? covers : isWider)(other, match),
    );
    if (earlier >= 0) faults.add(place, `is never reached: rule ${earlier} matches all of it`);
  }
}

/** The resources of which some are matched. */
function matchable(match: SoundMatch): ResourceName[] {
  return RESOURCE_NAMES.filter(
    (name) =>
      (match.resource ?? name) === name &&
      membersOf(match).every(([member, value]) => {
        const form = formOf(name, member);
        return form !== undefined && isOfForm(form, value);
      }),
  );
}

function membersOf(match: SoundMatch): (readonly [member: string, value: string])[] {
  return Object.entries(match).filter(([name]) => name !== 'resource');
}

/** The values of a resource's member; undefined if it has none that can be matched. */
function formOf(resource: ResourceName, member: string): Form | undefined {
  const slot = KEY_SHAPES[resource].slots.find((other) => other.member === member);
  return slot !== undefined && PARAMETERS[slot.name].matched ? slot.form : undefined;
}

function whyNothing(match: SoundMatch): string {
  const kind = RESOURCE_NAMES.find((name) => name === match.resource);
  if (kind === undefined) return 'no resource has all of these members';
  const members = membersOf(match).map(([member]) => member);
  const foreign = members.filter((member) => formOf(kind, member) === undefined);
  if (foreign.length > 0) return `${kind} has no ${foreign.join(' and no ')}`;
  const wrong = membersOf(match).flatMap(([member, value]) => {
    const form = formOf(kind, member);
    return form === undefined || isOfForm(form, value) ? [] : [`${member} is ${formWords(form)}`];
  });
  return `of ${kind} the ${wrong.join(' and the ')}`;
}

/** Whether a rule takes everything that a later one matches. */
function covers(earlier: SoundMatch, later: SoundMatch): boolean {
  const kinds = matchable(earlier);
  const { resource: _resource, ...members } = earlier;
  return isWider(members, later) && matchable(later).every((kind) => kinds.includes(kind));
}

/** Whether a later match has all that an earlier one asks for. */
function isWider(earlier: SoundMatch, later: SoundMatch): boolean {
  return Object.entries(earlier).every(([name, value]) => later[name] === value);
}
