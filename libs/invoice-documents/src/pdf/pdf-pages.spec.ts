import { BUYER, inputOf, manyLines, sampleInvoice, SELLER } from '../sample-documents.suite.js';
import { pdfDocument } from './pdf-document.js';
import { Sheet } from './sheet.js';

interface WrittenText {
  readonly text: string;
  /** From the top, in points. */
  readonly y: number;
}

/** The texts of each page, as they are written. */
function pagesOf(document: Parameters<typeof inputOf>[0]): readonly WrittenText[][] {
  const pages: WrittenText[][] = [[]];
  const write = jest.spyOn(Sheet.prototype, 'text').mockImplementation((text, _x, y) => {
    pages.at(-1)?.push({ text, y });
  });
  const turn = jest.spyOn(Sheet.prototype, 'onEachPage').mockReturnValue();
  const add = jest.spyOn(Sheet.prototype, 'addPage').mockImplementation(function (this: Sheet) {
    pages.push([]);
    this.y = 50;
  });
  pdfDocument({ ...inputOf(document), xml: null });
  for (const spy of [write, turn, add]) spy.mockRestore();
  return pages;
}

const LONG = 'Please ask us before you deduct anything. '.repeat(8);
/** Points between the head and the foot of an A4 page. */
const PAGE = { from: 50, to: 772 };

/** Share of a page below its last text. */
function blankOf(page: readonly WrittenText[]): number {
  const end = Math.max(...page.map(({ y }) => y));
  return (PAGE.to - end) / (PAGE.to - PAGE.from);
}

test.each<[string, Parameters<typeof sampleInvoice>]>([
  ['a purchase order and a tax that is reversed', [{}, 'AE']],
  ['no references', [{ buyer: { ...BUYER, purchase_order: undefined } as typeof BUYER }, 'S']],
  ['a long text about the payment', [{ seller: { ...SELLER, remittance: LONG } }, 'S']],
])(
  'a PDF of 1 to 80 lines with %s has the sums with a line and no half empty page',
  (_name, of) => {
    const [changes, category] = of;
    for (let count = 1; count <= 80; count += 1) {
      const lines = count === 1 ? sampleInvoice().lines.slice(-1) : manyLines(count);
      const written = pagesOf(sampleInvoice({ ...changes, lines }, category));
      const withSums = written.find((page) => page.some(({ text }) => text === 'Net')) ?? [];
      const last = lines.at(-1)?.description ?? '';
      expect([count, withSums.map(({ text }) => text)]).toEqual([
        count,
        expect.arrayContaining([last, 'Amount due']),
      ]);
      const blank = written.slice(0, -1).map((page) => blankOf(page));
      expect([count, blank.filter((share) => share >= 0.4)]).toEqual([count, []]);
    }
  },
);
