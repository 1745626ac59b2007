import { below } from './faults.js';
import type { Faults } from './faults.js';
import { isUuid } from './path-values.js';
import { RESOURCE_NAMES } from './resource.js';
import type { Resource, ResourceName } from './resource.js';

/** A rule's match whose names and values are all right by themselves. */
export type SoundMatch = Readonly<Record<string, string>>;

type MembersOf<Name extends ResourceName> = readonly Exclude<
  keyof Extract<Resource, { resource: Name }> & string,
  'resource' | 'item'
>[];

const LISTING: MembersOf<'trends'> = ['level', 'limit', 'region', 'category'];

/** By which members a resource can be matched; the item of a time series is not one of them. */
const MEMBERS: { readonly [Name in ResourceName]: MembersOf<Name> } = {
  'related-trends': ['level', 'limit', 'region', 'category', 'group'],
  timeseries: ['type', 'region'],
  trends: LISTING,
  brands: LISTING,
};

/**
 * Adds a fault for each rule that can never give a price: because no resource has what it asks for,
 * or because an earlier rule takes all that it matches. It would stand there and mean something to
 * its reader that it does not do. `matches`: undefined where a rule has faults of its own.
 */
export function checkReach(
  faults: Faults,
  pointer: string,
  matches: readonly (SoundMatch | undefined)[],
): void {
  for (const [index, match] of matches.entries()) {
    if (match === undefined) continue;
    const place = below(below(pointer, index), 'match');
    if (matchable(match).length === 0) {
      faults.add(place, `matches nothing: ${whyNothing(match)}`);
      continue;
    }
    const earlier = matches.findIndex(
      (other, at) => at < index && other !== undefined && covers(other, match),
    );
    if (earlier >= 0) faults.add(place, `is never reached: rule ${earlier} matches all of it`);
  }
}

/** The kinds of resources of which some are matched. */
function matchable(match: SoundMatch): ResourceName[] {
  const asked = Object.keys(match).filter((name) => name !== 'resource');
  return RESOURCE_NAMES.filter((name) => {
    const members: readonly string[] = MEMBERS[name];
    if (match.resource !== undefined && match.resource !== name) return false;
    // The category of related trends is named by its id, that of a listing by its slug.
    const isNamed = name !== 'related-trends' || isUuid(match.category ?? NO_CATEGORY);
    return isNamed && asked.every((member) => members.includes(member));
  });
}

const NO_CATEGORY = '00000000-0000-0000-0000-000000000000';

function whyNothing(match: SoundMatch): string {
  const { resource } = match;
  const kind = RESOURCE_NAMES.find((name) => name === resource);
  if (kind === undefined) return 'no resource has all of these members';
  const members: readonly string[] = ['resource', ...MEMBERS[kind]];
  const foreign = Object.keys(match).filter((name) => !members.includes(name));
  if (foreign.length > 0) return `${kind} has no ${foreign.join(' and no ')}`;
  return `the category of ${kind} is named by its id, a UUID in lower case`;
}

/** Whether a rule takes everything that a later one matches. */
function covers(earlier: SoundMatch, later: SoundMatch): boolean {
  const kinds = matchable(earlier);
  const isWider = Object.entries(earlier).every(
    ([name, value]) => name === 'resource' || later[name] === value,
  );
  return isWider && matchable(later).every((kind) => kinds.includes(kind));
}
