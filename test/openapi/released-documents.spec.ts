import { readFileSync } from 'node:fs';
import path from 'node:path';
import { documentBreaks } from './document-breaks.js';
import { interfaceTexts } from './interface-documents.js';
import { documentOf, interfaceText } from './interface-text.js';

const FOLDER = path.resolve(__dirname, '../../docs/interfaces');
const present = interfaceTexts();

describe.each(Object.keys(present))('the interface %s', (name) => {
  const now = present[name] ?? '';

  test('breaks no client of the last release', () => {
    const before = documentOf(readFileSync(path.join(FOLDER, `${name}.txt`), 'utf8'));
    expect(Object.keys(before.paths).length).toBeGreaterThan(20);
    expect(documentBreaks(before, documentOf(now))).toEqual([]);
  });

  test('is read from its text as it was written', () => {
    const compared = (text: string) => text.replaceAll(/^(#|  (who|refused)).*\n/gm, '');
    expect(compared(interfaceText(documentOf(now)))).toBe(compared(now));
  });
});
