import { BUYER, cents, SELLER, VAT_ID, type Rule, type UblTree } from './ubl-tree.suite.js';
import { text, texts, type XmlTree } from '../xml/xml-tree.suite.js';

// BR-S-*, BR-Z-*, BR-E-*, BR-AE-*, BR-G-* and BR-O-*: the same questions with other answers.

interface Category {
  readonly id: string;
  readonly rate: 'positive' | 'zero' | 'absent';
  readonly reason: 'required' | 'forbidden';
  readonly sellerVatId: 'required' | 'forbidden';
  readonly buyerVatId: 'required' | 'optional' | 'forbidden';
}

const CATEGORIES: readonly Category[] = [
  {
    id: 'S',
    rate: 'positive',
    reason: 'forbidden',
    sellerVatId: 'required',
    buyerVatId: 'optional',
  },
  { id: 'Z', rate: 'zero', reason: 'forbidden', sellerVatId: 'required', buyerVatId: 'optional' },
  { id: 'E', rate: 'zero', reason: 'required', sellerVatId: 'required', buyerVatId: 'optional' },
  { id: 'AE', rate: 'zero', reason: 'required', sellerVatId: 'required', buyerVatId: 'required' },
  { id: 'G', rate: 'zero', reason: 'required', sellerVatId: 'required', buyerVatId: 'optional' },
  {
    id: 'O',
    rate: 'absent',
    reason: 'required',
    sellerVatId: 'forbidden',
    buyerVatId: 'forbidden',
  },
];
const LINE_CATEGORY = 'cac:Item/cac:ClassifiedTaxCategory';
const ROW_CATEGORY = 'cac:TaxCategory';

function isOf(id: string, path: string): (tree: XmlTree) => boolean {
  return (tree) => text(tree, `${path}/cbc:ID`) === id;
}

function linesOf({ lines }: UblTree, id: string): readonly XmlTree[] {
  return lines.filter(isOf(id, LINE_CATEGORY));
}

function rowsOf({ subtotals }: UblTree, id: string): readonly XmlTree[] {
  return subtotals.filter(isOf(id, ROW_CATEGORY));
}

function isRate(rate: string | undefined, wanted: Category['rate']): boolean {
  if (wanted === 'absent') return rate === undefined;
  return wanted === 'zero' ? Number(rate) === 0 : Number(rate) > 0;
}

function isAs(value: unknown, wanted: 'required' | 'optional' | 'forbidden'): boolean {
  return wanted === 'optional' || (value !== undefined) === (wanted === 'required');
}

function rulesOf({ id, rate, reason, sellerVatId, buyerVatId }: Category): Rule[] {
  return [
    [
      `BR-${id}-01`,
      (ubl) => {
        const rows = rowsOf(ubl, id).length;
        return linesOf(ubl, id).length === 0 ? rows === 0 : id === 'S' ? rows > 0 : rows === 1;
      },
    ],
    [
      `BR-${id}-02`,
      (ubl) =>
        linesOf(ubl, id).length === 0 ||
        (isAs(text(ubl.root, `${SELLER}/${VAT_ID}`), sellerVatId) &&
          isAs(text(ubl.root, `${BUYER}/${VAT_ID}`), buyerVatId)),
    ],
    [
      `BR-${id}-05`,
      (ubl) =>
        linesOf(ubl, id).every((line) => isRate(text(line, `${LINE_CATEGORY}/cbc:Percent`), rate)),
    ],
    [
      `BR-${id}-08`,
      (ubl) =>
        rowsOf(ubl, id).every((row) => {
          const nets = linesOf(ubl, id).map((line) => cents(text(line, 'cbc:LineExtensionAmount')));
          return cents(text(row, 'cbc:TaxableAmount')) === nets.reduce((sum, net) => sum + net, 0);
        }),
    ],
    [
      `BR-${id}-09`,
      (ubl) =>
        rate === 'positive' ||
        rowsOf(ubl, id).every((row) => cents(text(row, 'cbc:TaxAmount')) === 0),
    ],
    [
      `BR-${id}-10`,
      (ubl) =>
        rowsOf(ubl, id).every((row) =>
          isAs(text(row, `${ROW_CATEGORY}/cbc:TaxExemptionReason`), reason),
        ),
    ],
  ];
}

export const CATEGORY_RULES: readonly Rule[] = [
  ...CATEGORIES.flatMap(rulesOf),
  // What is outside of the scope of VAT stands alone.
  [
    'BR-O-11',
    ({ subtotals }) => {
      const ids = subtotals.flatMap((row) => texts(row, `${ROW_CATEGORY}/cbc:ID`));
      return !ids.includes('O') || ids.length === 1;
    },
  ],
  [
    'BR-CL-VAT',
    ({ lines }) =>
      lines.every((line) => CATEGORIES.some(({ id }) => isOf(id, LINE_CATEGORY)(line))),
  ],
];
