import encodeQR from 'qr';
import { isTest } from '#invoice-rules/invoice.js';
import { printedIban } from '#invoice-rules/party-rules.js';
import { transferCodeText } from '#invoice-rules/payment-code.js';
import { formatMoney } from '../format/money.js';
import { CopyText } from '../ui/copy-text.js';
import { Facts, type Fact } from '../ui/facts.js';
import css from './invoices.module.css';
import type { Party } from '../rest/answers.js';

interface PayBoxProps {
  readonly seller: Pick<Party, 'name' | 'iban' | 'bic' | 'email'>;
  /** Still to be paid, with tax, in minor units. */
  readonly due: number;
  readonly currency: string;
  /** The number of the invoice. */
  readonly number: string;
  readonly dueDate: string;
}

/** How an invoice is paid by transfer: to whom, how much, with which reference, and as a code. */
export function PayBox({ seller, due, currency, number, dueDate }: PayBoxProps) {
  if (isTest(number)) return <p>This is an invoice of a test account: nothing is to be paid.</p>;
  const { name = '', iban, bic, email } = seller;
  if (iban === undefined) {
    return (
      <p>
        No bank account is stated: {email ? <a href={`mailto:${email}`}>ask {email}</a> : 'ask'} how
        to pay.
      </p>
    );
  }
  const code = transferCodeText({ name, iban, bic, amount: due, currency, reference: number });
  return (
    <div className={css.pay}>
      <Facts
        of={[
          ['Amount, tax included', <strong key="due">{formatMoney(due, currency)}</strong>],
          ['By', dueDate],
          ['To', name],
          ['IBAN', <CopyText key="iban" value={printedIban(iban)} copied={iban} what="IBAN" />],
          ...(bic === undefined ? [] : [['BIC', bic] as Fact]),
          ['Reference', <CopyText key="reference" value={number} what="reference" />],
        ]}
      />
      {code !== null && <QrCode text={code} />}
    </div>
  );
}

const BORDER = 4;

/** One path of squares, dark on white also where the page is dark: cameras need the contrast. */
function QrCode({ text }: { readonly text: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: BORDER });
  const squares = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <figure className={css.code}>
      <svg
        viewBox={`0 0 ${rows.length} ${rows.length}`}
        role="img"
        aria-label="QR code of the transfer"
        shapeRendering="crispEdges"
      >
        <rect width={rows.length} height={rows.length} fill="#fff" />
        <path d={squares.join('')} fill="#000" />
      </svg>
      <figcaption>Scan with your banking app</figcaption>
    </figure>
  );
}
