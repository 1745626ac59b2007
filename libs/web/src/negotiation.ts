/** One member of an Accept-like list: its value in lower case and its weight, 0 to 1. */
interface Preference {
  readonly value: string;
  readonly weight: number;
}

export const CODINGS = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

/** A comma or semicolon may stand in a quoted text. */
const MEMBERS = /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g;
const PARTS = /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g;
const WEIGHT = /^q\s*=\s*(\d+(?:\.\d*)?|\.\d+)$/i;

/** Members in any spelling that can be understood; a weight that cannot is 1, as if left out. */
function preferences(header: string): Preference[] {
  return (header.match(MEMBERS) ?? []).flatMap((member) => {
    const [value = '', ...parameters] = (member.match(PARTS) ?? []).map((part) => part.trim());
    if (value === '') return [];
    const [weight = 1] = parameters.flatMap((parameter) => WEIGHT.exec(parameter)?.[1] ?? []);
    return [{ value: value.toLowerCase(), weight: Math.min(Number(weight), 1) }];
  });
}

/**
 * Picks the media type that an Accept header (RFC 9110, 12.5.1) likes best, the first offer among
 * equals. Undefined: none is acceptable. No header, or one without any type, accepts everything; a
 * type is accepted whatever parameters it is named with.
 */
export function preferredType<Offer extends string>(
  accept: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  if (accept === undefined || accept === '*/*') return offers[0];
  const wanted = preferences(accept).filter(({ value }) => value === '*' || value.includes('/'));
  if (wanted.length === 0) return offers[0];
  return best(offers, (offer) => typeWeight(offer, wanted));
}

/** The most specific range that covers a type decides, whatever its place in the list. */
function typeWeight(offer: string, wanted: readonly Preference[]): number {
  const family = `${offer.slice(0, offer.indexOf('/'))}/*`;
  for (const ranges of [[offer], [family], ['*/*', '*']]) {
    const weight = weightOf(wanted, ranges);
    if (weight !== undefined) return weight;
  }
  return 0;
}

/** Named twice, with other parameters perhaps, is meant as well as it is meant once. */
function weightOf(wanted: readonly Preference[], values: readonly string[]): number | undefined {
  const named = wanted.filter(({ value }) => values.includes(value));
  return named.length === 0 ? undefined : Math.max(...named.map(({ weight }) => weight));
}

/**
 * Picks the content coding for an Accept-Encoding header (RFC 9110, 12.5.3). `small`: the body is
 * not worth compressing, so identity wins wherever it is not refused. Undefined: the client refuses
 * every coding that there is, identity included.
 */
export function preferredCoding(header: string | undefined, small: boolean): Coding | undefined {
  if (header === undefined) return 'identity';
  const wanted = preferences(header);
  const weights = new Map(CODINGS.map((coding) => [coding, codingWeight(coding, wanted)]));
  if (small && (weights.get('identity') ?? 0) > 0) return 'identity';
  return best(CODINGS, (coding) => weights.get(coding) ?? 0);
}

/** Identity is acceptable unless it, or everything that is not named, is refused. */
function codingWeight(coding: Coding, wanted: readonly Preference[]): number {
  const named = weightOf(wanted, coding === 'gzip' ? ['gzip', 'x-gzip'] : [coding]);
  // Identity that is not named and not refused is taken only when nothing that is named can be had.
  const unnamed = coding === 'identity' ? Number.MIN_VALUE : 0;
  return named ?? weightOf(wanted, ['*']) ?? unnamed;
}

function best<Offer extends string>(
  offers: readonly Offer[],
  weigh: (offer: Offer) => number,
): Offer | undefined {
  let chosen: Offer | undefined;
  let weight = 0;
  for (const offer of offers) {
    const candidate = weigh(offer);
    if (candidate > weight) [chosen, weight] = [offer, candidate];
  }
  return chosen;
}
