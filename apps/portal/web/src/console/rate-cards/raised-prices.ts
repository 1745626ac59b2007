import { type CardTerms, draftOf, type DraftCard } from './draft-card.js';

/** A factor as a whole number of parts: 1.1 is 11 tenths. */
interface Factor {
  readonly parts: bigint;
  /** A power of ten. */
  readonly of: bigint;
}

/** A price that a factor has changed. `exactly`: before it was rounded to whole credits. */
export interface RaisedPrice {
  readonly name: string;
  readonly before: number;
  readonly exactly: string;
  readonly after: number;
}

const FACTOR = /^(\d{1,3})(?:[.,](\d{1,6}))?$/;

/** Reads `1.1` or `1,1`; null: it is no factor. */
function factorOf(text: string): Factor | null {
  const [, whole, decimals = ''] = FACTOR.exec(text.trim()) ?? [];
  const parts = BigInt(whole === undefined ? 0 : whole + decimals);
  // Nothing would cost anything any more.
  if (parts === 0n) return null;
  return { parts, of: 10n ** BigInt(decimals.length) };
}

/** Halves are rounded up. */
function raised(name: string, before: number, { parts, of }: Factor): RaisedPrice {
  const product = BigInt(before) * parts;
  const after = Number((2n * product + of) / (2n * of));
  const decimals = of === 1n ? '' : String(product % of).padStart(String(of).length - 1, '0');
  const rest = decimals.replace(/0+$/, '');
  return { name, before, exactly: `${product / of}${rest === '' ? '' : `.${rest}`}`, after };
}

/** A card with all its prices times a factor, and what was rounded; null: that is no factor. */
export function raisedCard(
  card: CardTerms,
  text: string,
): { readonly draft: DraftCard; readonly prices: readonly RaisedPrice[] } | null {
  const factor = factorOf(text);
  if (factor === null) return null;
  const draft = draftOf(card);
  const cost = raised('every call', card.call_cost, factor);
  const prices = [cost];
  const priced = (name: string, before: number): number => {
    const price = raised(name, before, factor);
    prices.push(price);
    return price.after;
  };
  const rules = draft.rules.map((rule) => {
    if (rule.units === undefined || !('per' in rule.units)) {
      return { ...rule, credits: priced(rule.name, Number(rule.credits)) };
    }
    const { per, of } = rule.units;
    const units = Object.entries(per).map(([unit, before]) => {
      return [unit, priced(`${rule.name}, ${unit} (by ${of})`, before)] as const;
    });
    return { ...rule, units: { per: Object.fromEntries(units), of } };
  });
  return { draft: { ...draft, call_cost: cost.after, rules }, prices };
}
