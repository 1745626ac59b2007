import { monthText } from '../month.js';
import { GLOBAL, mainRegion, REGIONS } from '../regions.js';
import { SOURCES } from '../sources.js';
import { Random } from './random.js';

export const DEMO_MONTHS = 48;

/** Size of each market in thousandths of the largest; `global` where a row of its own is kept. */
const LARGEST = 'us';
const MARKETS = new Map([
  [LARGEST, 1000],
  ['gb', 310],
  ['fr', 260],
  ['kr', 420],
  ['jp', 380],
  [GLOBAL, 3100],
]);

function marketOf(region: string): number {
  const known = MARKETS.get(region === mainRegion() ? LARGEST : region);
  return known ?? new Random(`market of ${region}`).between(100, 500);
}

/** A year of seasons in thousandths, January first: quiet, even, and with a peak in summer. */
const SEASONS = [
  [960, 950, 970, 980, 1000, 1010, 1000, 990, 1010, 1030, 1060, 1090],
  [1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000],
  [820, 840, 900, 1000, 1110, 1210, 1250, 1180, 1030, 920, 870, 850],
] as const;

/** How an item fares, the same for all its regions. */
interface Character {
  readonly base: number;
  /** Change from month to month in hundred-thousandths. */
  readonly growth: number;
  readonly season: readonly number[];
  readonly tiktokPercent: number;
  readonly instagramPercent: number;
  /** The first month with rows, and the one after the last, counted from 0. */
  readonly begins: number;
  readonly ends: number;
  readonly gapsPercent: number;
  readonly zerosPercent: number;
}

/**
 * The rows of one item in `volumes.csv`, ascending. `lastMonth` is the number of the newest month.
 * Only integers are computed with, so that every machine writes the same bytes.
 */
export function demoVolumes(item: string, isSunny: boolean, lastMonth: number): string[] {
  const random = new Random(`volumes of ${item}`);
  const character = characterOf(random, isSunny);
  const main = mainRegion();
  const regions = REGIONS.filter((region) =>
    random.chance(region === main ? 99 : region === GLOBAL ? 6 : 93),
  );
  return regions.flatMap((region) => regionRows(item, region, character, lastMonth));
}

function characterOf(random: Random, isSunny: boolean): Character {
  // Squared, few items are large and many small, as it is with what people look for.
  const size = random.between(20, 900);
  const isNew = random.chance(8);
  const isGone = random.chance(3);
  const isPatchy = random.chance(10);
  return {
    base: size * size + random.between(0, 5000),
    growth: random.between(-1800, 2600),
    season: SEASONS[isSunny ? 2 : random.between(0, 1)] ?? SEASONS[1],
    tiktokPercent: random.between(4, 90),
    instagramPercent: random.between(3, 60),
    begins: isNew ? random.between(18, 40) : 0,
    ends: isGone ? random.between(20, 40) : DEMO_MONTHS,
    gapsPercent: isPatchy ? random.between(2, 12) : 0,
    zerosPercent: isPatchy ? random.between(0, 6) : 0,
  };
}

function regionRows(
  item: string,
  region: string,
  character: Character,
  lastMonth: number,
): string[] {
  const random = new Random(`volumes of ${item} in ${region}`);
  const { begins, ends, season, growth } = character;
  let level = Math.floor((character.base * marketOf(region) * random.between(60, 140)) / 100_000);
  const rows: string[] = [];
  for (let index = 0; index < DEMO_MONTHS; index += 1) {
    level += Math.trunc((level * growth) / 100_000);
    const month = lastMonth - DEMO_MONTHS + 1 + index;
    const noisy = Math.floor((level * (season[month % 12] ?? 0)) / 1000);
    const google = Math.floor((noisy * random.between(920, 1080)) / 1000);
    const isMissing = index < begins || index >= ends || random.chance(character.gapsPercent);
    const isZero = random.chance(character.zerosPercent);
    const volumes = isZero ? ['0', '0', '0'] : platforms(google, index, character, random);
    if (!isMissing)
      rows.push(
        `${item},${region},${monthText(month)},${volumes.slice(0, SOURCES.length).join(',')}`,
      );
  }
  return rows;
}

/** The second platform grows from little over the first year; the third counts in hundredths. */
function platforms(google: number, index: number, character: Character, random: Random): string[] {
  const risen = Math.min(index + 1, 12);
  const tiktok = Math.floor((google * character.tiktokPercent * risen) / 1200);
  const instagram = Math.floor((google * character.instagramPercent) / 100);
  const hundredths = random.between(0, 99);
  const fraction = hundredths === 0 ? '' : `.${String(hundredths).padStart(2, '0')}`;
  return [`${google}`, `${tiktok}`, `${instagram}${fraction}`];
}
