import { isAccountCurrency, isCurrency, xmlFaultOf } from '#invoice-rules/currencies.js';
import { isEndpointScheme } from '#invoice-rules/electronic-addresses.js';
import { isCountry } from '#invoice-rules/party-rules.js';
import { RULE_COUNTRIES, RULE_CURRENCIES, RULE_SCHEMES } from './code-lists.suite.js';

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const PAIRS = LETTERS.flatMap((one) => LETTERS.map((other) => one + other));
const TRIPLES = PAIRS.flatMap((pair) => LETTERS.map((last) => pair + last));
const DIGITS = Array.from({ length: 10_000 }, (_, code) => String(code).padStart(4, '0'));
/** Renminbi abroad, and dobras before 2018: on the list of the rules, in no list of ISO 4217. */
const NOT_ISO = ['CNH', 'STD'];
/** ISO 4217 states no minor unit of them. */
const WITHOUT_MINOR_UNIT = 'XAG XAU XBA XBB XBC XBD XPD XPT XTS XUA XXX'.split(' ');
const WITH_MORE_DECIMALS = 'BHD CLF IQD JOD KWD LYD OMR TND UYW'.split(' ');
/** Prefixes of the rules that are no countries: Kosovo and Northern Ireland. */
const NOT_COUNTRIES = ['1A', 'XI'];

test('an XML states the currencies of the official rules that have up to two decimals', () => {
  const written = TRIPLES.filter((code) => xmlFaultOf(code) === undefined);
  const others = new Set([...NOT_ISO, ...WITHOUT_MINOR_UNIT, ...WITH_MORE_DECIMALS]);
  expect(written).toEqual([...RULE_CURRENCIES].filter((code) => !others.has(code)).toSorted());
});

test('accounts are opened in the currencies that are in force, and in no others', () => {
  expect(TRIPLES.filter(isCurrency)).toHaveLength(165);
  const former = TRIPLES.filter((code) => isAccountCurrency(code) && !isCurrency(code));
  expect(former).toEqual(['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL']);
  expect(['VED', 'SLE', 'XCG', 'ZWG', 'STN', 'XAD', 'CLF', 'BOV'].filter(isCurrency)).toHaveLength(
    8,
  );
  expect(['eur', 'EURO', '', 'XYZ', 'XXX', 'XAU', 'XTS', 'DEM'].filter(isAccountCurrency)).toEqual(
    [],
  );
});

test('countries and schemes of electronic addresses are those of the official rules', () => {
  const countries = PAIRS.filter(isCountry);
  expect(countries).toEqual([...RULE_COUNTRIES].filter((code) => !NOT_COUNTRIES.includes(code)));
  const schemes = [...DIGITS, ...PAIRS].filter(isEndpointScheme);
  expect(schemes).toEqual([...RULE_SCHEMES].toSorted());
});
