import { inflateSync } from 'node:zlib';
import { create, type Font } from 'fontkit';
import { fontFiles } from './font-files.js';
import { fontProgram } from './font-program.js';
import { typeface, type Typeface } from './typeface.js';

/** Glyphs of a text as another program reads them from the font that a document would hold. */
function subsetOf(text: string): Font {
  return create(fileOf(typeface('regular'), text)) as Font;
}

function fileOf(face: Typeface, text: string): Buffer {
  const glyphs = new Set([face.getGlyph(0), ...face.layout(text).glyphs]);
  return inflateSync(fontProgram(face, [...glyphs]).file);
}

function copied(text: string): string {
  const { glyphs } = typeface('regular').layout(text);
  return String.fromCodePoint(...glyphs.flatMap(({ codePoints }) => codePoints));
}

test.each([
  ['Latin', 'Ångström & Søn, Łódź'],
  ['Vietnamese', 'Nguyễn Thị Ánh'],
  ['Greek', 'Ελληνικά Ώρα'],
  ['Cyrillic', 'Общество Їжак'],
  ['currencies and signs', '€ £ ₹ ₫ ₺ № § – … ≤'],
  ['Chinese', '上海示例有限公司'],
  ['Japanese', '株式会社サンプルひらがな'],
  ['Korean', '주식회사 견본'],
])('%s is shown and copied as it is written', (_script, text) => {
  expect(typeface('regular').layout(text).hasReplaced).toBe(false);
  expect(typeface('bold').layout(text).hasReplaced).toBe(false);
  expect(copied(text)).toBe(text);
});

test.each([
  ['Hebrew', 'שלום חברה'],
  ['Arabic', 'شركة المثال'],
])('%s is set from right to left', (_script, text) => {
  expect(typeface('regular').layout(text).hasReplaced).toBe(false);
  expect(copied(text)).toBe(Array.from(text).toReversed().join(''));
});

test('Latin words and numbers inside of Hebrew keep their direction', () => {
  expect(copied('חברה Acme 12 בע')).toBe('עב Acme 12 הרבח');
});

test('brackets inside of Hebrew are turned round', () => {
  expect(copied('(אב)')).toBe('(בא)');
});

test('letters of Arabic are joined', () => {
  const face = typeface('regular');
  const single = face.layout('ه').glyphs[0]?.id;
  const joined = face.layout('ههه').glyphs.map(({ id }) => id);
  expect(new Set([single, ...joined]).size).toBe(4);
});

test('what no font holds is shown as a replacement character, once for what is seen as one', () => {
  expect(typeface('regular').layout('Crown 👑🏽').hasReplaced).toBe(true);
  expect(copied('a👑🏽b𓀀')).toBe('a\ufffdb\ufffd');
});

test('combining marks and joiners belong to the character before them', () => {
  expect(typeface('regular').layout('Zoe\u0308 می\u200cروم').hasReplaced).toBe(false);
});

test('nothing is set with the glyph for what is missing', () => {
  const face = typeface('regular');
  for (const text of [
    'a\u200bb\u2060\u00adc',
    'می\u200cروم',
    'a👑b',
    '株\ufe00式',
    '\u200fא\u200e',
  ]) {
    expect(face.layout(text).glyphs.map(({ id }) => id)).not.toContain(0);
  }
});

test('the part of a font that a document holds has the outlines of the whole font', () => {
  const text = 'Ägypten 株式 ش';
  const face = typeface('regular');
  const part = subsetOf(text);
  expect(part.numGlyphs).toBe(new Set(face.layout(text).glyphs.map(({ id }) => id)).size + 1);
  const whole = fontFiles('regular')[0]?.open().glyphForCodePoint(0xc4);
  const copy = part.getGlyph(1);
  expect(copy.advanceWidth).toBe(whole?.advanceWidth);
  expect(copy.path.toSVG()).toBe(whole?.path.toSVG());
  expect(copy.path.toSVG()).toMatch(/^M/);
});

test('the same text gives the same bytes of a font', () => {
  const bytes = (text: string): Buffer => fileOf(typeface('bold'), text);
  const first = bytes('Total 617.75');
  bytes('Something else');
  expect(bytes('Total 617.75').equals(first)).toBe(true);
});

test('widths add up', () => {
  const face = typeface('regular');
  expect(face.layout('617.75').advanceWidth).toBe(
    face.layout('617').advanceWidth + face.layout('.75').advanceWidth,
  );
});
