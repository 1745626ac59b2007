import { PARAMETERS, RESOURCES } from '#rating/resource.js';
import type { Parameter as PathPart, ResourceName } from '#rating/resource.js';
import { JsonSchemas } from '#rest/operation/json-schemas.js';
import { formSchema } from '#rest/operation/resource.schemas.js';
import type { Parameter, Schema } from '#web/openapi-document.js';

function path(name: string, description: string, schema: Schema, example: unknown): Parameter {
  return { name, in: 'path', required: true, description, schema, example };
}

function header(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'header', required: false, description, schema };
}

const WINDOW = path(
  'window',
  '`latest`, or the label of the running or a past week.',
  { type: 'string', pattern: '^(?:latest|\\d{4}w\\d{2})$' },
  'latest',
);

const schemas = new JsonSchemas();

const PATH_PARAMETERS = new Map([
  ['window', WINDOW],
  ...Object.entries<PathPart>(PARAMETERS).map(
    ([name, { description, form, example }]) =>
      [name, path(name, description, schemas.of(formSchema(form), 'output'), example)] as const,
  ),
]);

/** The path of a resource as a template; `short`: without the window. */
export function templateOf(name: ResourceName, short: boolean): string {
  return `/v1/${short ? '' : '{window}/'}${RESOURCES[name].path}`;
}

/** The parameters of a path template, in its order. */
export function pathParameters(template: string): Parameter[] {
  return [...template.matchAll(/\{(\w+)\}/g)].flatMap(
    ([, name = '']) => PATH_PARAMETERS.get(name) ?? [],
  );
}

/** The schemas that these refer to, by name. */
export const PATH_SCHEMAS = schemas.all;

/** Optional headers of a metered call. */
export const CALL_PARAMETERS: readonly Parameter[] = [
  header(
    'Credits-Max',
    'The most credits that the call may cost. A call that costs more is refused with 412 and is free.',
    {
      type: 'integer',
      minimum: 0,
    },
  ),
  header(
    'Credits-Tag',
    'Up to 5 pairs that are stored with the call, such as `team=nails, project=autumn`.',
    {
      type: 'string',
    },
  ),
  header('Idempotency-Key', 'Names one call for ever: nothing is charged twice under it.', {
    type: 'string',
    pattern: '^[\\x21-\\x7e]{1,255}$',
  }),
  header(
    'If-None-Match',
    'The `ETag` of an earlier answer. If it matches and the key is paid for in this window, the answer is 304 at the price of a repeat.',
    {
      type: 'string',
    },
  ),
  header('Prefer', '`receipt` asks for a signed receipt of the call.', { type: 'string' }),
];
