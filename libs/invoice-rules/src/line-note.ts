import type { InvoiceLine, Language } from './invoice.js';

const NOT_USED: Readonly<Record<Language, string>> = {
  en: 'not used in this month',
  de: 'in diesem Monat nicht genutzt',
  fr: 'non utilisé ce mois-ci',
};

/** Words about a line: an adjustment counts as far as it paid for calls of its month. */
export function lineNote(line: InvoiceLine, language: Language): string | undefined {
  const isUnused = line.type === 'adjustment' && line.credits === 0;
  return isUnused ? NOT_USED[language] : undefined;
}
