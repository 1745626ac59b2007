import { placesInKeys } from '#rating/key-parts.js';

// What a key holds, as SQL: `c` is the record of a call's data with its members `key` and `window`.

const { name: NAME, member: REGIONS } = placesInKeys('region');

export const RESOURCE_OF_CALL = segment(String(NAME));

/** A window that is left out is the one in the key: as `windowOfCall`. */
export const WINDOW_OF_CALL = `coalesce(c."window", ${segment('2')})`;

/** Empty where the resource has none. */
export const REGION_OF_CALL = segmentByName(REGIONS);

/** A segment of the key, of which the first is what stands before the first slash. */
function segment(at: string): string {
  return `split_part(c.key, '/', ${at} + 1)`;
}

function segmentByName(places: ReadonlyMap<string, number>): string {
  const cases = [...places].map(([name, at]) => `when '${name}' then ${at}`);
  return `coalesce(${segment(`case ${RESOURCE_OF_CALL} ${cases.join(' ')} end`)}, '')`;
}
