import type { OpenApiDocument } from '#web/openapi-document.js';

const SCHEMAS = '#/components/schemas/';

/** A served document with its references resolved, but for schemas. */
export function expandedDocument(document: object): OpenApiDocument {
  const follow = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(follow);
    const { $ref } = value as { readonly $ref?: unknown };
    if (typeof $ref !== 'string' || $ref.startsWith(SCHEMAS)) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, follow(one)]));
    }
    const steps = $ref.slice('#/'.length).split('/');
    return follow(
      steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document),
    );
  };
  const { paths, webhooks } = document as OpenApiDocument;
  return {
    ...document,
    paths: follow(paths),
    ...(webhooks && { webhooks: follow(webhooks) }),
  } as OpenApiDocument;
}
