import { formatAmount } from './money.js';
import { compactIban } from './party-rules.js';

/** A transfer, as a banking app fills it in. The amount is in minor units. */
export interface Transfer {
  readonly name: string;
  readonly iban: string;
  readonly bic?: string | undefined;
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
}

/** Limits of EPC069-12. */
const NAME_CHARACTERS = 70;
const BYTES_MAX = 331;
const CENTS_MAX = 99_999_999_999;

/**
 * The text that a banking app reads from a QR code: a SEPA transfer (EPC069-12, version 002). Null
 * where there is none: other currencies, nothing due, more than the code holds.
 */
export function transferCodeText(transfer: Transfer): string | null {
  const { name, iban, bic = '', amount, currency, reference } = transfer;
  if (currency !== 'EUR' || amount <= 0 || amount > CENTS_MAX) return null;
  const text = [
    'BCD',
    '002',
    // UTF-8.
    '1',
    'SCT',
    bic,
    Array.from(name.replaceAll(/\s+/g, ' ').trim()).slice(0, NAME_CHARACTERS).join(''),
    compactIban(iban),
    `EUR${formatAmount(amount, currency)}`,
    // No purpose, and no reference with check digits.
    '',
    '',
    reference,
  ].join('\n');
  return new TextEncoder().encode(text).length > BYTES_MAX ? null : text;
}
