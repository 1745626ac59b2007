import { BUYER, inputOf, sampleInvoice } from '../sample-documents.suite.js';
import { pdfDocument } from './pdf-document.js';

/** The font files of an invoice to a buyer, as they stand in its PDF. */
function fontsOf(name: string): readonly string[] {
  const document = sampleInvoice({ buyer: { ...BUYER, name } });
  const pdf = pdfDocument({ ...inputOf(document), xml: null }).toString('latin1');
  return Array.from(pdf.matchAll(/\/Length1 [^]*?endstream/g), ([file]) => file);
}

test('documents hold the same two fonts, whatever usual letters they are written with', () => {
  const fonts = fontsOf('Acme Ltd');
  expect(fonts).toHaveLength(2);
  expect(fontsOf('Zürcher Käse & Søn, 90 %')).toEqual(fonts);
});

test('a line with any other character brings a font of its own', () => {
  const usual = fontsOf('Acme Ltd');
  const [other, ...more] = fontsOf('Ελληνική Εταιρεία').filter((font) => !usual.includes(font));
  expect(more).toEqual([]);
  expect(other?.length).toBeGreaterThan(1_000);
});
