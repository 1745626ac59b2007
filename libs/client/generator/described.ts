import type { Schema } from '#web/openapi-document.js';

// The parts of an OpenAPI document that a client follows from, as the service publishes them.

export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content } | Reference>>;
}

export interface DescribedInterface {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Pick<Operation, 'requestBody'> }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** One operation with its place. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  /** Of the success. */
  readonly content: Content;
}

/** The operations below a prefix. */
export function operationsOf(document: DescribedInterface, prefix: string): PlacedOperation[] {
  const places = Object.entries(document.paths).filter(([path]) => path.startsWith(prefix));
  return places.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method,
      operation,
      parameters: (operation.parameters ?? []).map((one) => resolved<Parameter>(document, one)),
      content: contentOf(document, operation),
    })),
  );
}

function contentOf(document: DescribedInterface, { responses }: Operation): Content {
  const [success = {}] = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => resolved<{ readonly content?: Content }>(document, response));
  return success.content ?? {};
}

function resolved<Part extends object>(document: DescribedInterface, part: Part | Reference): Part {
  if (!('$ref' in part)) return part;
  const [kind = '', name = ''] = part.$ref.replace('#/components/', '').split('/');
  return document.components[kind]?.[name] as Part;
}
