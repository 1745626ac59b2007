import { isTag, tagNameOf, type UsageDimension } from '../views/usage-dimension.js';
import fc from 'fast-check';
import { type CallMade, windowOfCall } from '#account/calls.js';
import { allBeauty, callAt, issueApiKey } from '#account/scenario.suite.js';
import { resourceKey } from '#rating/resource-key.js';
import { parseResourcePath } from '#rating/resource-path.js';
import type { Resource } from '#rating/resource.js';
import type { CallMatch, UsageFilter, UsageSums, UsageView } from '../views/account-reads.js';
import { isOfTags } from './usage-dimensions.js';
import { LedgerScene, type Writer } from '../reads/ledger-scene.suite.js';
import { storedCall, type StoredCall } from '../projections/stored-calls.js';

/** Two days before the clocks of Berlin are put back; a Friday in 2026w43. */
export const START = Date.UTC(2026, 9, 23, 20);
const ITEM = '0197c000-0000-4000-8000-00000000000a';

export const ALL: UsageFilter = {
  by: [],
  from: null,
  to: null,
  after: null,
  limit: 1_000,
  asOf: null,
};

export const RESOURCES: readonly Resource[] = [
  { ...allBeauty, limit: 'top5' },
  { ...allBeauty, region: 'fr' },
  { ...allBeauty, resource: 'brands', limit: 'top100', region: 'global' },
  { resource: 'timeseries', type: 'brand', region: 'kr', item: ITEM },
  {
    resource: 'related-trends',
    level: 'cat1',
    limit: 'top5',
    region: 'jp',
    category: ITEM,
    group: 'popindex',
  },
];
const TAGS: readonly (Readonly<Record<string, string>> | null)[] = [
  null,
  { team: 'nails' },
  { team: 'nails', project: '=autumn 1.0' },
  { project: 'autumn', team: 'hair', cost: 'nails' },
];

/** Open while the specs of a suite run. */
export let scene: LedgerScene;

export function useScene(): void {
  beforeAll(async () => {
    scene = await LedgerScene.open('Europe/Berlin');
  });
  afterAll(() => scene.close());
}

interface Step {
  readonly minutes: number;
  readonly resource: number;
  readonly tags: number;
  readonly apiKey: number;
  readonly thenProject: boolean;
}

export const steps = fc.array(
  fc.record<Step>({
    minutes: fc.integer({ min: 0, max: 3_000 }),
    resource: fc.nat(RESOURCES.length - 1),
    tags: fc.nat(TAGS.length - 1),
    apiKey: fc.integer({ min: 1, max: 2 }),
    thenProject: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Makes calls; answers the moment of the last. */
export async function call(writer: Writer, made: readonly Step[]): Promise<number> {
  let at = START;
  for (const { minutes, resource, tags, apiKey, thenProject } of made) {
    at += minutes * 60_000;
    const asked = RESOURCES[resource] ?? allBeauty;
    const window = scene.calendar.windowAt(at).label;
    const key = resourceKey(asked, window);
    const request = { resource: asked, window, key, asked: key, apiKey, tags: TAGS[tags] ?? null };
    await writer.write(at, callAt(at, request));
    if (thenProject) await scene.project(writer.id);
  }
  return at;
}

export async function caller(): Promise<Writer> {
  const writer = await scene.writer().open(START);
  const other = { keyId: 'key-2', hash: writer.hash.replace(/^0/, 'f') };
  await writer.write(START, issueApiKey(other));
  return writer;
}

/** The one group that a call is in. */
function placeOf({ at, call: made }: StoredCall, by: readonly UsageDimension[]): string {
  const parsed = parseResourcePath(made.key);
  if (parsed.outcome !== 'resource') throw new Error(made.key);
  return JSON.stringify(by.map((name) => dimension(name, at, made, parsed.resource)));
}

function textOfTags(tags: Readonly<Record<string, string>>): string {
  const names = Object.keys(tags).toSorted((one, other) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, tags[name]])));
}

function dimension(
  name: UsageDimension,
  at: number,
  made: CallMade,
  resource: Resource,
): string | null {
  if (isTag(name)) return made.tags?.[tagNameOf(name)] ?? null;
  switch (name) {
    case 'day':
      return scene.calendar.dayAt(at).label;
    case 'month':
      return scene.calendar.monthAt(at).label;
    case 'window':
      return windowOfCall(made);
    case 'resource':
      return resource.resource;
    case 'region':
      return resource.region;
    case 'api_key':
      return `key-${made.api_key}`;
    case 'tags':
      return made.tags ? textOfTags(made.tags) : null;
    case 'rule':
    case 'kind':
    case 'key':
      return made[name];
  }
}

function matches({ at, call: made }: StoredCall, match: CallMatch): boolean {
  const parsed = parseResourcePath(made.key);
  if (parsed.outcome !== 'resource') throw new Error(made.key);
  const of = (name: UsageDimension) => dimension(name, at, made, parsed.resource);
  const { tag } = match;
  const value = tag && (made.tags?.[tag.name] ?? null);
  return (
    [null, of('key')].includes(match.resourceKey) &&
    [null, of('resource')].includes(match.resource) &&
    [null, of('region')].includes(match.region) &&
    [null, of('rule')].includes(match.rule) &&
    [null, of('kind')].includes(match.kind) &&
    [null, of('api_key')].includes(match.apiKeyId) &&
    (tag === null || (value !== null && [null, value].includes(tag.value)))
  );
}

/** The same sums, made of the whole log in the plainest way. */
export async function summed(writer: Writer, filter: UsageFilter): Promise<object> {
  const { by, from, to, asOf, match } = filter;
  const sums = new Map<string, { calls: number; call_cost: number; data_cost: number }>();
  if (by.length === 0) sums.set('[]', { calls: 0, call_cost: 0, data_cost: 0 });
  for (const event of await writer.history()) {
    const stored = storedCall(event);
    if (stored === undefined) continue;
    const { at, call: made } = stored;
    if (at < (from ?? 0) || at >= (to ?? Infinity) || at > (asOf ?? Infinity)) continue;
    if (match !== undefined && !matches(stored, match)) continue;
    const place = placeOf(stored, by);
    const sum = sums.get(place) ?? { calls: 0, call_cost: 0, data_cost: 0 };
    sum.calls += 1;
    sum.call_cost += made.cost[0];
    sum.data_cost += made.cost[1];
    sums.set(place, sum);
  }
  return Object.fromEntries(sums);
}

export function shown(items: readonly UsageView[], by: readonly UsageDimension[]): object {
  const members = new Set(by.map((name) => (isOfTags(name) ? 'tags' : name)));
  return Object.fromEntries(
    items.map(({ calls, call_cost, data_cost, credits_used, ...place }) => {
      expect(credits_used).toBe(call_cost + data_cost);
      expect(Object.keys(place)).toEqual([...members]);
      const values = by.map((name) => valueOf(place, name, by));
      return [JSON.stringify(values), { calls, call_cost, data_cost }];
    }),
  );
}

type Place = Omit<UsageView, keyof UsageSums>;

function valueOf(place: Place, name: UsageDimension, by: readonly UsageDimension[]): string | null {
  const { tags = null } = place;
  if (isTag(name)) return tags?.[tagNameOf(name)] ?? null;
  if (name !== 'tags') return place[name] ?? null;
  // A tag that was asked for by its name stands there as null where calls lack it.
  const held = Object.entries(tags ?? {}).filter(([, value]) => value !== null);
  expect(by.some(isTag) || tags === null || held.length > 0).toBe(true);
  return held.length === 0 ? null : textOfTags(Object.fromEntries(held) as Record<string, string>);
}

/** Mostly values that some call has, one that none has, and null. */
export const match = fc.record<CallMatch>({
  resourceKey: fc.option(fc.constantFrom(...RESOURCES.map((one) => resourceKey(one, '2026w43'))), {
    freq: 1,
  }),
  resource: fc.option(fc.constantFrom('trends', 'brands', 'timeseries', 'nothing'), { freq: 1 }),
  region: fc.option(fc.constantFrom('us', 'fr', 'kr', 'gb'), { freq: 1 }),
  rule: fc.option(fc.constantFrom('top 5', 'per row', 'all beauty trends'), { freq: 1 }),
  kind: fc.option(fc.constantFrom<('base' | 'repeat')[]>('base', 'repeat'), { freq: 1 }),
  apiKeyId: fc.option(fc.constantFrom('key-1', 'key-2', 'key-3'), { freq: 1 }),
  tag: fc.option(
    fc.record({
      name: fc.constantFrom('team', 'project'),
      value: fc.option(fc.constantFrom('nails', '=autumn 1.0')),
    }),
    { freq: 1 },
  ),
});
