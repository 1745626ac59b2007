import type { InvoiceLine, Language } from './invoice.js';

/** Words of lines beside the names of rules, in each language. */
export interface LineWords {
  readonly base: string;
  readonly repeat: string;
  /** Before its reason. */
  readonly adjustment: string;
  readonly included: string;
  readonly purchased: string;
  readonly promotional: string;
  readonly givenBack: string;
  readonly overage: string;
  readonly purchase: string;
  readonly debtBefore: string;
  readonly debtCarried: string;
  readonly fee: string;
}

/** Names of lines. English is what lines are made with. */
export const LINE_WORDS: Readonly<Record<Language, LineWords>> = {
  en: {
    base: 'first calls',
    repeat: 'repeat calls',
    adjustment: 'Adjustment: ',
    included: 'Included credits',
    purchased: 'Purchased credits',
    promotional: 'Promotional credits',
    givenBack: 'Credits given back before',
    overage: 'Usage not covered by credits',
    purchase: 'Purchase of credits',
    debtBefore: 'Debt from before',
    debtCarried: 'Debt carried into the next month',
    fee: 'Monthly fee',
  },
  de: {
    base: 'erste Abrufe',
    repeat: 'wiederholte Abrufe',
    adjustment: 'Anpassung: ',
    included: 'Enthaltene Credits',
    purchased: 'Gekaufte Credits',
    promotional: 'Geschenkte Credits',
    givenBack: 'Früher gutgeschriebene Credits',
    overage: 'Nicht durch Credits gedeckte Nutzung',
    purchase: 'Kauf von Credits',
    debtBefore: 'Übertrag aus dem Vormonat',
    debtCarried: 'Übertrag in den Folgemonat',
    fee: 'Monatliche Grundgebühr',
  },
  fr: {
    base: 'premiers appels',
    repeat: 'appels répétés',
    adjustment: 'Ajustement\u00a0: ',
    included: 'Crédits inclus',
    purchased: 'Crédits achetés',
    promotional: 'Crédits offerts',
    givenBack: 'Crédits rendus auparavant',
    overage: 'Utilisation non couverte par des crédits',
    purchase: 'Achat de crédits',
    debtBefore: 'Report du mois précédent',
    debtCarried: 'Report au mois suivant',
    fee: 'Abonnement mensuel',
  },
};

/** A line with its description in a language. Names of rules and reasons stay as they are. */
export function lineIn<Line extends InvoiceLine>(line: Line, language: Language): Line {
  return { ...line, description: descriptionIn(line, language) };
}

function descriptionIn(line: InvoiceLine, language: Language): string {
  const words = LINE_WORDS[language];
  if (line.type === 'usage') return usageText(line.rule, words[line.kind]);
  if (line.type === 'adjustment') return `${words.adjustment}${line.reason}`;
  const found = Object.values(LINE_WORDS)
    .flatMap((known) => Object.entries(known))
    .find(([, text]) => text === line.description);
  return found === undefined ? line.description : words[found[0] as keyof LineWords];
}

/** The name of a usage line: a rule, and whether its calls were the first ones. */
export function usageText(rule: string, kind: string): string {
  return `${rule.slice(0, 1).toUpperCase()}${rule.slice(1)}, ${kind}`;
}
