import type { ProblemSlug } from './problem.js';
import GUIDE from './problem-guide.json' with { type: 'json' };

/** Texts of a problem's page: what it means, when it comes, what to do. */
export interface ProblemGuide {
  readonly meaning: string;
  readonly when: string;
  readonly solution: string;
  /** The members of an example beside those that every problem has. */
  readonly example: { readonly detail: string } & Readonly<Record<string, unknown>>;
}

/** One entry for each problem; the compiler holds the two lists together. */
export const PROBLEM_GUIDE: Readonly<Record<ProblemSlug, ProblemGuide>> = GUIDE;
