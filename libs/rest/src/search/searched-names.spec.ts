import { itemsOf } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';

const NAMES = [
  'हिन्दी सौंदर्य',
  'İstanbul Kozmetik',
  'Straße am See',
  'ΟΔΥΣΣΕΥΣ Σίσυφος',
  'Ｆｕｌｌ ｗｉｄｔｈ',
  '한국 화장품',
  'เครื่องสำอาง',
  'مُحَمَّد عَطْر',
  '100% Pure_Skin\\Co',
  "O'Neil 'quoted' & Co",
  '👩‍💻 Beauty',
  'Crème Brûlée'.normalize('NFD'),
];

const stage = adminStage();
const ids = new Map<string, string>();

beforeAll(async () => {
  for (const name of NAMES) ids.set(name, await stage.account({ name }));
});

async function found(path: string, parameter: string, text: string): Promise<unknown[]> {
  const answer = await stage.get(
    `${path}${path.includes('?') ? '&' : '?'}${parameter}=${encodeURIComponent(text)}`,
  );
  return itemsOf(answer).map(({ id }) => id);
}

/** Spellings of a name, and the beginnings of its words from two characters on. */
function searches(name: string): string[] {
  const parts = (word: string) =>
    [...new Intl.Segmenter('en').segment(word)].map(({ segment }) => segment);
  const beginnings = name
    .split(' ')
    .flatMap((word) =>
      parts(word).map((_, end) =>
        parts(word)
          .slice(0, end + 1)
          .join(''),
      ),
    )
    .filter((text) => text.length > 1 && /[\p{L}\p{N}]/u.test(text));
  const cased = [name, name.toUpperCase(), name.toLowerCase(), ...beginnings];
  return [...new Set(cased.flatMap((text) => [text.normalize('NFC'), text.normalize('NFD')]))];
}

it.each(NAMES)(
  '%s is found by every spelling, in the list and in the search',
  async (name) => {
    for (const text of searches(name)) {
      expect([text, await found('/search', 'q', text)]).toEqual([
        text,
        expect.arrayContaining([ids.get(name)]),
      ]);
      expect([text, await found('/accounts', 'search', text)]).toEqual([
        text,
        expect.arrayContaining([ids.get(name)]),
      ]);
    }
  },
  60_000,
);

it.each(['%%', '__', '\\\\', "''", '\u200d\u200d', ':*', '(a|'])(
  '%j finds no other name',
  async (text) => {
    const listed = await found('/accounts', 'search', text);
    const holding = NAMES.filter(
      (name) => Array.from(text).every((sign) => name.includes(sign)) && text !== '\u200d\u200d',
    );
    expect(new Set(listed)).toEqual(new Set(holding.map((name) => ids.get(name))));
    expect((await stage.get(`/search?q=${encodeURIComponent(text)}`)).status).toBe(200);
  },
);

it('finds what an older version has written, and nothing that it has erased', async () => {
  const old = await stage.account({ name: 'Älteres Haus' });
  await stage.pool.query('update profile set folded = null where account_id = $1', [old]);
  expect(await found('/accounts', 'search', 'altere')).toEqual([old]);
  await stage.pool.query('update profile set folded = null where account_id = $1', [old]);
  expect(await found('/search', 'q', 'ÄLTERE')).toEqual([old]);
  await stage.pool.query(`update profile set body = '{}' where account_id = $1`, [old]);
  expect(await found('/search', 'q', 'ältere')).toEqual([]);
  const { rows } = await stage.pool.query(
    'select distinct folded from profile where account_id = $1',
    [old],
  );
  expect(rows).toEqual([{ folded: '' }]);
});
