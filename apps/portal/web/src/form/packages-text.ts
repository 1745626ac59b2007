import { isCurrency } from '#invoice-rules/currencies.js';
import type { CreditPackage } from '#invoice-rules/invoice.js';
import { formatAmount, parseAmount } from '#invoice-rules/money.js';

const LINE =
  /^(?<name>.+): *(?<credits>[\d,]+)(?: credits)? for (?<price>[\d,.]+) (?<currency>[A-Z]{3})$/;

/** Packages as they are typed, one a line: `Starter: 100,000 for 1,200.00 USD`. */
export function packagesText(packages: readonly CreditPackage[]): string {
  return packages
    .map(({ name, credits, price, currency }) => {
      return `${name}: ${credits.toLocaleString('en')} for ${formatAmount(price, currency)} ${currency}`;
    })
    .join('\n');
}

/** A line that cannot be read is sent as typed: the service reports the fault. */
export function packagesOf(text: string): readonly (CreditPackage | string)[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => packageIn(line) ?? line);
}

function packageIn(line: string): CreditPackage | null {
  const { name = '', credits = '', price = '', currency = '' } = LINE.exec(line)?.groups ?? {};
  if (!isCurrency(currency)) return null;
  const minor = parseAmount(price.replaceAll(',', ''), currency);
  if (minor === undefined) return null;
  return {
    name: name.trim(),
    credits: Number(credits.replaceAll(',', '')),
    price: minor,
    currency,
  };
}
