/** An electronic address of a party: its scheme of the list EAS, and its identifier there. */
export interface Endpoint {
  readonly scheme: string;
  readonly id: string;
}

/** Schemes of the list of electronic addresses (EAS) by which the Peppol network finds parties. */
const PEPPOL: ReadonlySet<string> = new Set(
  (
    '0002 0007 0009 0060 0088 0096 0097 0106 0130 0135 0142 0151 0183 0184 0188 0190 0191 0192 ' +
    '0195 0196 0198 0199 0200 0201 0204 0208 0209 0210 0211 0216 0218 0221 0225 0230 0235 0240 ' +
    '0242 0244 0245 0246 0248 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 ' +
    '9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 ' +
    '9946 9947 9948 9949 9950 9951 9952 9953 9957 9959'
  ).split(' '),
);
/** The others of the list; EM is an e-mail address. */
const OTHERS: ReadonlySet<string> = new Set(
  (
    '0037 0147 0154 0158 0170 0177 0193 0194 0202 0203 0205 0212 0213 0215 0217 0219 0220 ' +
    'AN AQ AS AU EM'
  ).split(' '),
);

/** Whether a code is on the list of electronic addresses (EAS). */
export function isEndpointScheme(code: string): boolean {
  return PEPPOL.has(code) || OTHERS.has(code);
}

/** Whether a party is found by an address in the Peppol network (PEPPOL-EN16931-CL008). */
export function isPeppolAddress(endpoint: Endpoint | undefined): boolean {
  return endpoint !== undefined && PEPPOL.has(endpoint.scheme);
}

function digitsOf(id: string): number[] {
  return Array.from(id, Number);
}

function weighted(digits: readonly number[], weightOf: (index: number) => number): number {
  return digits.reduce((sum, digit, index) => sum + digit * weightOf(index), 0);
}

/** The sum of digits where every second one from the last counts twice, as cards have it. */
function isLuhn(id: string): boolean {
  const sum = digitsOf(id)
    .toReversed()
    .map((digit, index) => (index % 2 === 0 ? digit : digit * 2))
    .reduce((all, value) => all + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}

function isGln(id: string): boolean {
  return weighted(digitsOf(id).toReversed(), (index) => (index % 2 === 0 ? 1 : 3)) % 10 === 0;
}

const NORWEGIAN_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2, 1];
const AUSTRALIAN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/** Whether a number of a Norwegian organization has its check digit. */
export function isNorwegian(id: string): boolean {
  const sum = weighted(digitsOf(id), (index) => NORWEGIAN_WEIGHTS[index] ?? 0);
  return /^\d{9}$/.test(id) && Number(id) > 0 && sum % 11 === 0;
}

/** Whether a number of a Swedish organization has its check digit. */
export function isSwedish(id: string): boolean {
  return /^\d{10}$/.test(id) && isLuhn(id);
}

function isAustralian(id: string): boolean {
  const [first = 0, ...others] = digitsOf(id);
  const sum = weighted([first - 1, ...others], (index) => AUSTRALIAN_WEIGHTS[index] ?? 0);
  return /^\d{11}$/.test(id) && sum % 89 === 0;
}

const BELGIAN_MODULUS = 97;

function isBelgian(id: string): boolean {
  const checked = BELGIAN_MODULUS - (Number(id.slice(0, 8)) % BELGIAN_MODULUS);
  return /^\d{10}$/.test(id) && checked === Number(id.slice(8));
}

/** The form of identifiers of a scheme (PEPPOL-COMMON-R040 to R053); all others are free. */
const FORMS: Readonly<Record<string, (id: string) => boolean>> = {
  '0007': isSwedish,
  '0088': (id) => /^\d{2,}$/.test(id) && isGln(id),
  '0096': (id) => /^\d{10}$/.test(id),
  '0151': isAustralian,
  '0184': (id) => /^(?:DK)?\d{8}$/.test(id),
  '0192': isNorwegian,
  '0198': (id) => /^DK\d{8}$/.test(id),
  '0208': isBelgian,
  EM: (id) => /^[^@\s]+@[^@\s]+$/.test(id),
};

/** Whether an identifier has the form that its scheme asks for. */
export function isEndpoint({ scheme, id }: Endpoint): boolean {
  return isEndpointScheme(scheme) && FORMS[scheme]?.(id) !== false;
}
