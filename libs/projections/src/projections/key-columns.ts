import { INDEX_START } from '#rating/index-keys.js';
import { placesInKeys } from '#rating/key-parts.js';

// What a key holds, as SQL: `c` is the record of a call's data with its members `key` and `window`.

const { name: NAME, member: REGIONS } = placesInKeys('region');

const IS_OF_INDEX = `starts_with(c.key, '${INDEX_START}')`;

/** A key of another product describes itself: `/…/{window}/{resource}?name=value`. */
export const RESOURCE_OF_CALL = ofProduct(
  segment(String(NAME)),
  `split_part(${segment('3')}, '?', 1)`,
);

/** A window that is left out is the one in the key: as `windowOfCall`. */
export const WINDOW_OF_CALL = `coalesce(c."window", ${segment('2')})`;

/** Empty where the resource has none. Of another product it is as in the key: percent-encoded. */
export const REGION_OF_CALL = ofProduct(
  segmentByName(REGIONS),
  `coalesce(substring(c.key from '[?&]region=([^&]*)'), '')`,
);

function ofProduct(index: string, others: string): string {
  return `case when ${IS_OF_INDEX} then ${index} else ${others} end`;
}

/** A segment of the key, of which the first is what stands before the first slash. */
function segment(at: string): string {
  return `split_part(c.key, '/', ${at} + 1)`;
}

function segmentByName(places: ReadonlyMap<string, number>): string {
  const cases = [...places].map(([name, at]) => `when '${name}' then ${at}`);
  return `coalesce(${segment(`case ${segment(String(NAME))} ${cases.join(' ')} end`)}, '')`;
}
