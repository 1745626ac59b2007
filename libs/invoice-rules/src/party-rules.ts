/** ISO 3166-1 alpha-2. */
const COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ ' +
    'BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM ' +
    'DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS ' +
    'GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN ' +
    'KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ ' +
    'MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
    'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV ' +
    'SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI ' +
    'VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);
/** Prefixes of VAT identifiers that are no countries: Greece, Northern Ireland, Kosovo. */
const VAT_PREFIXES: ReadonlySet<string> = new Set(['EL', 'XI', 'XK']);
const VAT_ID = /^[A-Z]{2}[A-Z0-9](?:[A-Z0-9.+*/ -]{0,16}[A-Z0-9])$/;
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
const BIC_COUNTRY = 4;
const LETTER_OFFSET = 'A'.charCodeAt(0) - 10;
const IBAN_MODULUS = 97n;
const IBAN_HEAD = 4;

/** Whether a text is an ISO 3166-1 alpha-2 code, in capitals. */
export function isCountry(code: string): boolean {
  return COUNTRIES.has(code);
}

/** True if a text could be a VAT identifier: a country's prefix (BR-CO-09), then its characters. */
export function isVatId(text: string): boolean {
  const prefix = text.slice(0, 2);
  return VAT_ID.test(text) && (COUNTRIES.has(prefix) || VAT_PREFIXES.has(prefix));
}

/** An IBAN as it is printed: in groups of four. */
export function printedIban(iban: string): string {
  return iban.replaceAll(' ', '').replaceAll(/.{4}(?=.)/g, '$& ');
}

/** An IBAN as banks exchange it: without spaces, in capitals. */
export function compactIban(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

/** Whether a text is a BIC (ISO 9362), in capitals. */
export function isBic(text: string): boolean {
  return BIC.test(text) && COUNTRIES.has(text.slice(BIC_COUNTRY, BIC_COUNTRY + 2));
}

/** Whether a compact text is an IBAN whose check digits fit (ISO 13616). */
export function isIban(text: string): boolean {
  if (!IBAN.test(text)) return false;
  const moved = text.slice(IBAN_HEAD) + text.slice(0, IBAN_HEAD);
  const digits = moved.replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - LETTER_OFFSET),
  );
  return BigInt(digits) % IBAN_MODULUS === 1n;
}
