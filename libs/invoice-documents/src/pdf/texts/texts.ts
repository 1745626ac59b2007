import type { Language } from '#invoice-rules/invoice.js';
import DE from './de.json' with { type: 'json' };
import EN from './en.json' with { type: 'json' };
import FR from './fr.json' with { type: 'json' };

/**
 * All words of a page, by what they stand for, and how the language writes numbers and dates;
 * amounts, dates and numbers are filled in as texts. French breaks no line inside of a number, nor
 * before a colon or a percent sign.
 */
export type Texts = typeof EN;

/** The words of every language. */
export const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, de: DE, fr: FR };
