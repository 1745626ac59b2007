import { faultText } from './fault.js';
import { monthText } from './month.js';
import { readRelease, type FileProgress } from './read-release.js';
import {
  ACNE,
  BRAND,
  FACE,
  GOOD_FILES,
  SERUM,
  SKIN,
  id,
  releaseDirectory,
  type ReleaseFiles,
} from './release-files.suite.js';

type Name = keyof typeof GOOD_FILES;

async function read(files: ReleaseFiles, onProgress?: (progress: FileProgress) => void) {
  const { directory, remove } = await releaseDirectory({ ...GOOD_FILES, ...files });
  try {
    return await readRelease(directory, onProgress);
  } finally {
    await remove();
  }
}

async function faultsOf(files: ReleaseFiles): Promise<string[]> {
  const outcome = await read(files);
  return outcome.outcome === 'faulty' ? outcome.faults.map(faultText) : [];
}

function changed(file: Name, from: string, to: string): ReleaseFiles {
  const text = GOOD_FILES[file].replace(from, to);
  if (text === GOOD_FILES[file]) throw new Error(`${file} does not hold ${from}.`);
  return { [file]: text };
}

function row(file: Name, text: string): ReleaseFiles {
  return { [file]: `${GOOD_FILES[file]}${text}\n` };
}

const OTHER = id('c5', 9);

describe('a release without a fault', () => {
  it('is read whole, through its newest month', async () => {
    const outcome = await read({});
    if (outcome.outcome !== 'read') throw new Error('The files were refused.');
    const { categories, brands, relations, series, volumes, through, sha256 } = outcome.content;
    expect([categories.size, brands.size, relations.length, volumes]).toEqual([6, 1, 1, 3]);
    expect(through).toBe('2026-10-01');
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    const acne = series.find(({ item }) => item === ACNE)?.byRegion.get('us');
    expect(acne?.bySource).toEqual([
      [100_000n, 200_000n],
      [25_000n, 0n],
      [0n, 1n],
    ]);
  });

  it.each<[string, ReleaseFiles]>([
    [
      'a BOM and CRLF',
      { 'volumes.csv': `\uFEFF${GOOD_FILES['volumes.csv']}`.replaceAll('\n', '\r\n') },
    ],
    ['quoted fields', changed('volumes.csv', ',us,2026-09-01,', ',"us","2026-09-01",')],
    ['a label with a comma and quotes', changed('brands.csv', 'Orla', '"Orla, ""O"" & Co"')],
    ['no line end at the end', { 'brands.csv': GOOD_FILES['brands.csv'].trimEnd() }],
    ['empty lines', { 'volumes.csv': GOOD_FILES['volumes.csv'].replaceAll('\n', '\n\n') }],
    ['upper-case UUIDs', changed('relations.csv', ACNE, ACNE.toUpperCase())],
    [
      'columns in another order',
      { 'brands.csv': `label,category_id,id\nOrla,${FACE},${BRAND.toUpperCase()}\n` },
    ],
    [
      'no brands',
      { 'brands.csv': 'id,label,category_id\n', ...changed('volumes.csv', BRAND, SERUM) },
    ],
    ['no relations', { 'relations.csv': 'category_id,group,related_id\n' }],
    ['months out of order', row('volumes.csv', `${ACNE},us,2026-01-01,1,1,1`)],
    ['a child before its parent', moveFirstCategoryToTheEnd()],
    ['a brand in two categories', row('brands.csv', `${BRAND},Orla,${SKIN}`)],
    ['large volumes', row('volumes.csv', `${SERUM},us,2026-10-01,900719925474.0991,0,0`)],
  ])('may have %s', async (_name, files) => {
    expect(await faultsOf(files)).toEqual([]);
  });

  it('gives each series in the order of months, whatever the order of its rows', async () => {
    const rows = [`${ACNE},us,2025-12-01,3,4,5`, `${ACNE},us,2026-11-01,6,7,8`];
    const outcome = await read(row('volumes.csv', rows.join('\n')));
    if (outcome.outcome !== 'read') throw new Error('The files were refused.');
    const acne = outcome.content.series.find(({ item }) => item === ACNE)?.byRegion.get('us');
    expect(acne?.months.map(monthText)).toEqual([
      '2025-12-01',
      '2026-09-01',
      '2026-10-01',
      '2026-11-01',
    ]);
    expect(acne?.bySource[0]).toEqual([30_000n, 100_000n, 200_000n, 60_000n]);
    expect(acne?.bySource[2]).toEqual([50_000n, 0n, 1n, 80_000n]);
  });

  it('has a digest that any changed byte changes', async () => {
    const one = await read({});
    const other = await read(changed('brands.csv', 'Orla', 'Orlo'));
    const again = await read({});
    if (one.outcome !== 'read' || other.outcome !== 'read' || again.outcome !== 'read') {
      throw new Error('The files were refused.');
    }
    expect(other.content.sha256).not.toBe(one.content.sha256);
    expect(again.content.sha256).toBe(one.content.sha256);
  });

  it('reports its progress up to all bytes of all files', async () => {
    const seen: FileProgress[] = [];
    await read({}, (progress) => seen.push(progress));
    const total = Object.values(GOOD_FILES).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(seen.at(-1)).toEqual({
      file: 'volumes.csv',
      rows: 3,
      bytes: total,
      totalBytes: total,
    });
    expect(new Set(seen.map(({ file }) => file))).toEqual(new Set(Object.keys(GOOD_FILES)));
  });
});

function moveFirstCategoryToTheEnd(): ReleaseFiles {
  const [header, first, ...rest] = GOOD_FILES['categories.csv'].trimEnd().split('\n');
  return { 'categories.csv': [header, ...rest, first].join('\n') };
}

describe('a fault of a file is reported with its line:', () => {
  it.each<[string, ReleaseFiles, string]>([
    ['a missing file', { 'brands.csv': null }, 'brands.csv: is missing'],
    [
      'an empty file',
      { 'relations.csv': '' },
      'relations.csv:1: has no header, which is category_id,group,related_id',
    ],
    [
      'an unknown column',
      changed('brands.csv', 'category_id', 'category_id,country'),
      'brands.csv:1: "country" is no column of this file',
    ],
    [
      'a missing column',
      changed('volumes.csv', ',instagram', ''),
      'volumes.csv:1: instagram: the column is missing',
    ],
    [
      'a column twice',
      changed('brands.csv', 'category_id', 'category_id,label'),
      'brands.csv:1: label: stands here twice',
    ],
    [
      'UTF-16',
      { 'brands.csv': Buffer.from('\uFEFFid,label,category_id\n', 'utf16le') },
      'brands.csv:1: is UTF-16, not UTF-8',
    ],
    [
      'a header in Latin-1',
      { 'brands.csv': Buffer.from('id,label,catégory_id\n', 'latin1') },
      'brands.csv:1: is not UTF-8, perhaps Latin-1: save the file as UTF-8',
    ],
    [
      'labels in Latin-1',
      {
        'categories.csv': Buffer.from(
          GOOD_FILES['categories.csv'].replaceAll('Acne', 'Acné').replaceAll('Serum,', 'Sérum,'),
          'latin1',
        ),
      },
      'categories.csv:6: is not UTF-8, perhaps Latin-1: save the file as UTF-8',
    ],
    [
      'semicolons',
      { 'volumes.csv': GOOD_FILES['volumes.csv'].replaceAll(',', ';') },
      'volumes.csv:1: the separator is ";", a comma is expected',
    ],
    [
      'tabs, with a BOM, quotes and a column that is unknown',
      { 'brands.csv': '\uFEFF"id"\t"label"\t"category_id"\t"note"\r\n' },
      'brands.csv:1: the separator is "\\t", a comma is expected',
    ],
    [
      'no category',
      { 'categories.csv': 'id,level,label,slug,parent_id,life_cycle\n' },
      'categories.csv: holds no category',
    ],
    [
      'no volume',
      { 'volumes.csv': 'item_id,region,month,google,tiktok,instagram\n' },
      'volumes.csv: holds no volume',
    ],
  ])('%s', async (_name, files, expected) => {
    expect(await faultsOf(files)).toEqual([expected]);
  });

  it('all faults of all files come at once, in the order of files and lines', async () => {
    const faults = await faultsOf({
      ...row('volumes.csv', `${ACNE},xx,2026-13-01,a,-1,0.00001`),
      ...row('categories.csv', `x,cat9,,A,y,`),
      ...row('relations.csv', `${OTHER},G,${OTHER}`),
    });
    expect(faults.map((text) => text.split(': ').slice(0, 2).join(' '))).toEqual([
      ...['id', 'level', 'parent_id', 'label', 'slug'].map(
        (column) => `categories.csv:8 ${column}`,
      ),
      ...['category_id', 'group', 'related_id'].map((column) => `relations.csv:3 ${column}`),
      ...['region', 'month', 'google', 'tiktok', 'instagram'].map(
        (column) => `volumes.csv:5 ${column}`,
      ),
    ]);
  });

  it('of a kind the first five are listed, the last of them with the count of the others', async () => {
    const rows = Array.from({ length: 2500 }, (_, index) => `${ACNE},us,bad ${index},1,1,1`);
    const outcome = await read(row('volumes.csv', [...rows, `${ACNE},u s,bad,1,1,-1`].join('\n')));
    if (outcome.outcome !== 'faulty') throw new Error('The files were taken.');
    expect(outcome.total).toBe(2503);
    expect(outcome.faults.map(faultText)).toEqual([
      ...[0, 1, 2, 3].map(
        (index) => `volumes.csv:${index + 5}: month: "bad ${index}" is not a month like 2015-07-01`,
      ),
      'volumes.csv:9: month: "bad 4" is not a month like 2015-07-01, and 2,496 more',
      'volumes.csv:2505: region: "u s" is not one of us, gb, fr, kr, jp, global',
      'volumes.csv:2505: instagram: "-1" is negative',
    ]);
  });
});

describe('a row that cannot be read does not make a fault of what refers to it:', () => {
  it.each<[string, Name, string, string, string]>([
    ['a stray quote', 'categories.csv', 'Face', 'Fa"ce', 'a quote stands inside a field'],
    ['an open quote', 'categories.csv', 'Face', '"Face', 'a quoted field does not end'],
    ['a comma too many', 'categories.csv', 'Acne', 'Acne, mild', 'has 7 fields, not 6'],
    [
      'a line without an end',
      'categories.csv',
      'Acne',
      'x'.repeat(300_000),
      'a line is longer than 65536 characters',
    ],
    ['a brand', 'brands.csv', 'Orla', 'Orla "O"', 'a quote stands inside a field'],
  ])('%s', async (_name, file, from, to, reason) => {
    const line = GOOD_FILES[file].slice(0, GOOD_FILES[file].indexOf(from)).split('\n').length;
    expect(await faultsOf(changed(file, from, to))).toEqual([`${file}:${line}: ${reason}`]);
  });

  it('what refers to no row at all is still at fault', async () => {
    const faults = await faultsOf({
      ...changed('categories.csv', 'Acne', 'Ac"ne'),
      ...row('relations.csv', `${ACNE},concerns,${OTHER}`),
    });
    expect(faults).toEqual([
      'categories.csv:6: a quote stands inside a field',
      `relations.csv:3: related_id: "${OTHER}" is no category`,
    ]);
  });
});
