import { fillText } from '#invoice-rules/fill-text.js';
import type { CreditNote, Language } from '#invoice-rules/invoice.js';
import { formatAmount } from '#invoice-rules/money.js';
import { TEXTS, type Texts } from './texts/texts.js';

const THOUSANDS = /\B(?=(\d{3})+(?!\d))/g;

/** Words, numbers, dates and countries in one language. */
export class Wording {
  readonly texts: Texts;
  readonly #countries: Intl.DisplayNames;

  constructor(readonly language: Language) {
    this.texts = TEXTS[language];
    this.#countries = new Intl.DisplayNames(language, { type: 'region' });
  }

  /** `1,234,567` */
  grouped(count: number): string {
    return String(count).replace(THOUSANDS, this.texts.group);
  }

  /** `8.875` */
  decimal(value: number): string {
    return String(value).replace('.', this.texts.decimal);
  }

  /** `1,234.56`, with the decimals of the currency. */
  money(minor: number, currency: string): string {
    const [whole = '', decimals] = formatAmount(minor, currency).split('.');
    const digits = whole.replace(THOUSANDS, this.texts.group);
    return decimals === undefined ? digits : `${digits}${this.texts.decimal}${decimals}`;
  }

  /** `EUR 1,234.56`, or `1.234,56 EUR`; it is never broken. */
  moneyOf(minor: number, currency: string): string {
    const amount = this.money(minor, currency);
    return this.texts.isCurrencyFirst ? `${currency} ${amount}` : `${amount}\u00a0${currency}`;
  }

  /** `2026-11-01` as `1 November 2026`. */
  longDate(date: string): string {
    const { day, month, year } = partsOf(date);
    const { firstDay, months } = this.texts;
    return `${day === 1 ? firstDay : this.dayOf(day)} ${months[month] ?? ''} ${year}`;
  }

  /** `6–12 Oct`, or `29 Sep–5 Oct`: a week. */
  shortSpan(from: string, to: string): string {
    const { shortMonths } = this.texts;
    const [first, last] = [partsOf(from), partsOf(to)];
    const end = `${this.dayOf(last.day)} ${shortMonths[last.month] ?? ''}`;
    if (from === to) return end;
    if (first.month === last.month) return `${this.dayOf(first.day)}–${end}`;
    return `${this.dayOf(first.day)} ${shortMonths[first.month] ?? ''}–${end}`;
  }

  private dayOf(day: number): string {
    return fillText(this.texts.day, { day: String(day) });
  }

  /** The name of a country by its code, ISO 3166-1 alpha-2. */
  country(code: string): string {
    return this.#countries.of(code) ?? code;
  }

  /** The settlement of a credit note: set off, refunded, or kept as credit balance. */
  settlement({ settlement, currency, invoice: { number } }: CreditNote): string {
    const { texts } = this;
    if (settlement === undefined) return fillText(texts.setOff, { number });
    const { set_off: setOff, refund, credit_balance: kept } = settlement;
    const due = this.moneyOf(setOff, currency);
    if (kept !== undefined) {
      if (setOff === 0) return fillText(texts.kept, { number });
      const left = this.moneyOf(kept, currency);
      return fillText(texts.partlyKept, { setOff: due, number, kept: left });
    }
    if (refund === 0) return fillText(texts.setOff, { number });
    if (setOff === 0) return fillText(texts.refunded, { number });
    const back = this.moneyOf(refund, currency);
    return fillText(texts.partlyRefunded, { setOff: due, number, refund: back });
  }
}

const wordings = new Map<Language, Wording>();

/** The wording of a language, made once for all documents of this process. */
export function wordingOf(language: Language = 'en'): Wording {
  const known = wordings.get(language) ?? new Wording(language);
  wordings.set(language, known);
  return known;
}

/** `month`: 0 is January. */
function partsOf(date: string): { day: number; month: number; year: string } {
  const [year = '', month = '', day = ''] = date.split('-');
  return { day: Number(day), month: Number(month) - 1, year };
}
