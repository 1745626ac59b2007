import { foldText, holdsWords, wordsOfName, wordsOfSearch } from './folded-text.js';

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
const NAMES = [
  'हिन्दी सौंदर्य',
  'İstanbul Kozmetik',
  'ISPARTA ılıca',
  'Straße GROẞE',
  'ΟΔΥΣΣΕΥΣ Σίσυφος',
  'ﬁne ﬄower',
  'Ｆｕｌｌ ｗｉｄｔｈ',
  '한국 화장품',
  'เครื่องสำอาง ไทย',
  'مُحَمَّد عَطْر',
  'שָׁלוֹם יֹפִי',
  'Nägel & Nails GmbH',
  'Crème Brûlée',
  'ガラス グラス',
  '100% Pure_Skin\\Co',
  '👩‍💻 Beauty 💅🏽',
  'ǰ ŉ ᾳ և ẖ',
  'Toys™ №5 ½',
  'தமிழ் அழகு',
  '!!!',
  '美容',
];

/** All spellings of a text in its normal forms and cases. */
function spellings(text: string): string[] {
  const cases = [
    text,
    text.toUpperCase(),
    text.toLowerCase(),
    text.toLocaleUpperCase('tr'),
    text.toLocaleLowerCase('tr'),
  ];
  return [...new Set(FORMS.flatMap((form) => cases.map((each) => each.normalize(form))))];
}

/** Beginnings of a text, whole characters as people see them. */
function beginnings(text: string): string[] {
  const parts = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
  return parts.map((_, index) => parts.slice(0, index + 1).join(''));
}

test.each(NAMES)('%s is found by its own spelling and each beginning of its words', (name) => {
  const words = spellings(name).map(wordsOfName);
  for (const stored of words) {
    for (const search of [name, ...name.split(' ').flatMap(beginnings)].flatMap(spellings)) {
      const looked = wordsOfSearch(search);
      if (looked.length === 0) continue;
      const missed = looked.filter((word) => !stored.some((each) => each.startsWith(word)));
      expect([search, missed]).toEqual([search, []]);
      expect([search, holdsWords(name, search)]).toEqual([search, true]);
    }
  }
  expect(wordsOfSearch(name)).not.toEqual([]);
});

test('every character folds alike in all cases and normal forms, and once is enough', () => {
  const broken: string[] = [];
  for (let code = 0; code < 0x110000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = String.fromCodePoint(code);
    const folded = foldText(text);
    const others = [
      text.toUpperCase(),
      text.toLowerCase(),
      folded,
      ...FORMS.map((f) => text.normalize(f)),
    ];
    if (others.some((other) => foldText(other) !== folded)) broken.push(code.toString(16));
  }
  expect(broken).toEqual([]);
});

test.each([
  ['nagel', 'Nägel'],
  ['ISTANBUL', 'İstanbul'],
  ['istanbul', 'İSTANBUL'],
  ['ısparta', 'Isparta'],
  ['strasse', 'Straße'],
  ['محمد', 'مُحَمَّد'],
  ['שלום', 'שָׁלוֹם'],
  ['crm 4711', 'crm-4711'],
  ['&', 'Nails & Co'],
  ['🏽', '💅🏽'],
])('%s finds %s', (search, name) => {
  expect(holdsWords(name, search)).toBe(true);
});

test.each([
  ['ハス', 'バス'],
  ['หมา', 'หม้า'],
  ['%', 'Nails & Co'],
  ['_ails', 'Nails'],
  ['\u200d', 'Nails'],
  ['', 'Nails'],
])('%s does not find %s', (search, name) => {
  expect(holdsWords(name, search)).toBe(false);
});

test('a word is found by its first hundred characters', () => {
  expect(wordsOfName('ﷺ'.repeat(200)).map((word) => Array.from(word).length)).toEqual(
    expect.arrayContaining([4]),
  );
  expect(wordsOfName('a'.repeat(200))).toEqual(['a'.repeat(100)]);
});
