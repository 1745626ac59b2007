/** A rule that something was held against, and what breaks it; nothing: it holds. */
export interface Rule {
  readonly rule: string;
  readonly differences: readonly string[];
}

const SHOWN = 20;

/** The findings, for a person: a line for each rule, with its breaches below. Pure. */
export function ruleReport(rules: readonly Rule[], verdict: string): string {
  const lines = rules.flatMap(({ rule, differences }) => {
    if (differences.length === 0) return [`ok    ${rule}`];
    const more = differences.length - SHOWN;
    return [
      `WRONG ${rule}`,
      ...differences.slice(0, SHOWN).map((one) => `        ${one}`),
      ...(more > 0 ? [`        … and ${more} more`] : []),
    ];
  });
  return [...lines, verdict].join('\n');
}
