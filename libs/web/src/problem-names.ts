import type { Schema } from './openapi-document.js';
import { PROBLEMS, type ProblemSlug } from './problem.js';

/** Name of a problem's schema among the components. */
export function problemSchemaName(slug: ProblemSlug): string {
  return `Problem-${slug}`;
}

/** Of every problem. */
export function problemSlugs(): ProblemSlug[] {
  return Object.keys(PROBLEMS) as ProblemSlug[];
}

/** The schema of any of these problems, distinguished by `code`. */
export function oneOfProblems(slugs: readonly ProblemSlug[]): Schema {
  const named = slugs.map((slug) => [slug, `#/components/schemas/${problemSchemaName(slug)}`]);
  return {
    oneOf: named.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'code', mapping: Object.fromEntries(named) },
  };
}
