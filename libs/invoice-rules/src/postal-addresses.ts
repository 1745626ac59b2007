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

/** An address as it is printed, line by line, without its country. */
export function addressLines({ line1, line2, city, postcode, region }: Address): string[] {
  const town = [postcode, city].filter(Boolean).join(' ');
  const place = [town, region].filter(Boolean).join(', ');
  return [line1, line2, place].flatMap((line) => (line ? [line] : []));
}
