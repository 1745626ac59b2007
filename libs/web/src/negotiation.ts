/** One member of an Accept-like list: its value in lower case and its weight, 0 to 1. */
interface Preference {
  readonly value: string;
  readonly weight: number;
}

export const CODINGS = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

function preferences(header: string): Preference[] {
  return header.split(',').flatMap((member) => {
    const [value = '', ...parameters] = member.split(';').map((part) => part.trim());
    if (value === '') return [];
    const q = parameters.find((parameter) => /^q\s*=/i.test(parameter));
    const text = q?.slice(q.indexOf('=') + 1).trim() ?? '1';
    return [{ value: value.toLowerCase(), weight: WEIGHT.test(text) ? Number(text) : 0 }];
  });
}

/**
 * Picks the media type that an Accept header (RFC 9110, 12.5.1) likes best, the first offer among
 * equals. Undefined: none is acceptable. No header accepts everything.
 */
export function preferredType<Offer extends string>(
  accept: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  if (accept === undefined || accept.trim() === '' || accept === '*/*') return offers[0];
  const wanted = preferences(accept);
  return best(offers, (offer) => typeWeight(offer, wanted));
}

/** The most specific range that covers a type decides, whatever its place in the list. */
function typeWeight(offer: string, wanted: readonly Preference[]): number {
  const family = `${offer.slice(0, offer.indexOf('/'))}/*`;
  for (const range of [offer, family, '*/*']) {
    const found = wanted.find(({ value }) => value === range);
    if (found) return found.weight;
  }
  return 0;
}

/**
 * Picks the content coding for an Accept-Encoding header (RFC 9110, 12.5.3). `small`: the body is
 * not worth compressing, so identity wins wherever it is not refused. Undefined: the client refuses
 * every coding that there is, identity included.
 */
export function preferredCoding(header: string | undefined, small: boolean): Coding | undefined {
  if (header === undefined || header === '') return 'identity';
  const wanted = preferences(header);
  const weights = new Map(CODINGS.map((coding) => [coding, codingWeight(coding, wanted)]));
  if (small && (weights.get('identity') ?? 0) > 0) return 'identity';
  return best(CODINGS, (coding) => weights.get(coding) ?? 0);
}

/** Identity is acceptable unless it, or everything that is not named, is refused. */
function codingWeight(coding: Coding, wanted: readonly Preference[]): number {
  const named = wanted.find(
    ({ value }) => value === coding || (coding === 'gzip' && value === 'x-gzip'),
  );
  if (named) return named.weight;
  const rest = wanted.find(({ value }) => value === '*');
  if (rest) return rest.weight;
  // Not named and not refused: taken only when nothing that is named can be had.
  return coding === 'identity' ? 0.0001 : 0;
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
