import type { Address } from './invoice.js';

// Which parts postal addresses need, by the member `require` of Google's address data (September
// 2024). Its states and provinces are not asked for: they stand in the member that takes them.

const WITH_POSTCODE: ReadonlySet<string> = new Set(
  (
    'AS AT AU AX BE BL BR CA CH CN CZ DE DK EE ES FI FK FM FR GB GF GG GL GP GR GS GU HU IM IN ' +
    'IO IT JE JP KR LI LT LU LV MF MH MP MQ MX MY NC NL NO NZ PF PL PM PN PR PT PW RE RO RU SE ' +
    'SG SH SJ SK SM TC TR TW UA US VI WF YT ZA'
  ).split(' '),
);
const WITHOUT_CITY: ReadonlySet<string> = new Set(
  'AE AG CO GI HK ID JP KY MO NR SG SM VG'.split(' '),
);

const PARTS = ['line1', 'city', 'postcode', 'country'] as const;
export type AddressPart = (typeof PARTS)[number];

/**
 * Parts that an address in a country must have. Others may be absent, because the country has none
 * or people there leave them out. Without a country, or of no known one: all but the postcode.
 */
export function requiredParts(country: string | undefined): readonly AddressPart[] {
  const code = country ?? '';
  return PARTS.filter(
    (part) =>
      (part !== 'postcode' || WITH_POSTCODE.has(code)) &&
      (part !== 'city' || !WITHOUT_CITY.has(code)),
  );
}

// In which order the lines below the street stand, by the member `fmt` of the same data. No part is
// left out, also where a country does not use it.

/** `Austin, TX 78701` */
const REGION_BY_COMMA: ReadonlySet<string> = new Set('BB SO TW US'.split(' '));
/** `Ottawa ON K1A 0B1` */
const REGION_THEN_POSTCODE: ReadonlySet<string> = new Set(
  'AS AU CA CC CX FM GU HM MH MP NF PR PW UM VI'.split(' '),
);
/** `Auckland 1010` */
const CITY_THEN_POSTCODE: ReadonlySet<string> = new Set(
  'BD BH BM BN BT ID IL IN JO KH LB LS MM MN MT MV NG NP NZ PE PG PK SA TH VC VE VN'.split(' '),
);
/** `Leeds`, and below it `LS1 1AA` */
const POSTCODE_BELOW: ReadonlySet<string> = new Set(
  'AC AI EG FK GB GG GI GS HN IE IM IO IQ JE JP KE KR LK NA PN RU SD SH SZ TA TC UA VG ZA'.split(
    ' ',
  ),
);

/** An address as it is printed in its country, line by line, without the country itself. */
export function addressLines(address: Address): string[] {
  const { line1, line2 } = address;
  return [line1, line2, ...townLines(address)].flatMap((line) => (line ? [line] : []));
}

function townLines({ city, postcode, region, country }: Address): (string | undefined)[] {
  const join = (by: string, ...parts: (string | undefined)[]): string =>
    parts.filter(Boolean).join(by);
  if (REGION_BY_COMMA.has(country) && region) {
    return [join(', ', city, join(' ', region, postcode))];
  }
  if (REGION_BY_COMMA.has(country) || REGION_THEN_POSTCODE.has(country))
    return [join(' ', city, region, postcode)];
  if (CITY_THEN_POSTCODE.has(country)) return [join(', ', join(' ', city, postcode), region)];
  if (POSTCODE_BELOW.has(country)) return [join(', ', city, region), postcode];
  return [join(', ', join(' ', postcode, city), region)];
}
