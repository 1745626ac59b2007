// ISO 4217: list one as in force on 1 January 2026. Codes without a minor unit (metals, drawing
// rights, tests) are left out: an amount of minor units cannot be stated in them.

const CODES_BY_DECIMALS: readonly (readonly [decimals: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD ' +
      'CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL ' +
      'GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP ' +
      'LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK ' +
      'NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD ' +
      'SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD ' +
      'XCD XCG YER ZAR ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
const DECIMALS: ReadonlyMap<string, number> = new Map(
  CODES_BY_DECIMALS.flatMap(([decimals, codes]) =>
    codes.split(' ').map((code) => [code, decimals] as const),
  ),
);
/** Accounts could be opened in these before, and keep them. All have two decimals. */
const FORMER: ReadonlySet<string> = new Set('ANG BGN CUC HRK SLL XDR XSU ZWL'.split(' '));
const FORMER_DECIMALS = 2;
/** Codes above that the lists of EN 16931 lack (BR-CL-03 to 05 of its rules 1.3.16). */
const NOT_IN_EN_16931: ReadonlySet<string> = new Set('ANG BGN CUC HRK SLL STN XAD ZWL'.split(' '));
/** EN 16931 writes amounts with two decimals at most (BR-DEC). */
const EN_16931_DECIMALS_MAX = 2;

/** Whether a text is the code of a currency that is in force and has a minor unit, in capitals. */
export function isCurrency(code: string): boolean {
  return DECIMALS.has(code);
}

/** Whether invoices can be in a currency: in force, or that of an account from before. */
export function isAccountCurrency(code: string): boolean {
  return DECIMALS.has(code) || FORMER.has(code);
}

/** Decimals of a currency's minor unit: 0, 2, 3 or 4 (ISO 4217). */
export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? FORMER_DECIMALS;
}

/** Why an XML of EN 16931 cannot state amounts in a currency; undefined: it can. */
export function xmlFaultOf(currency: string): string | undefined {
  const decimals = decimalsOf(currency);
  if (decimals > EN_16931_DECIMALS_MAX) {
    return `${currency} has ${decimals} decimals; the standard takes ${EN_16931_DECIMALS_MAX}.`;
  }
  const isListed = isAccountCurrency(currency) && !NOT_IN_EN_16931.has(currency);
  return isListed ? undefined : `${currency} is not on the standard's list of currencies.`;
}
