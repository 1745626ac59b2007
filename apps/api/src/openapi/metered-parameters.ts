import { mainRegion } from '#popularity/regions.js';
import { PARAMETERS, RESOURCES } from '#rating/resource.js';
import type { Member, Parameter as PathPart, ResourceName } from '#rating/resource.js';
import { JsonSchemas } from '#rest/operation/json-schemas.js';
import { memberSchema } from '#rest/operation/resource.schemas.js';
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

/** Parameters by name; the schemas that they refer to are added. */
function pathParts(schemas: JsonSchemas): ReadonlyMap<string, Parameter> {
  const parts = new Map([['window', WINDOW]]);
  for (const [name, part] of Object.entries<PathPart>(PARAMETERS)) {
    const { member, form, description, example } = part;
    const schema = schemas.of(memberSchema(member as Member, form), 'output');
    const shown = member === 'region' ? mainRegion() : example;
    parts.set(name, path(name, description, schema, shown));
  }
  return parts;
}

/** The path of a resource as a template; `short`: without the window. */
export function templateOf(name: ResourceName, short: boolean): string {
  return `/v1/${short ? '' : '{window}/'}${RESOURCES[name].path}`;
}

/** The parameters of a path template, in its order. */
export function pathParameters(template: string): Parameter[] {
  const parts = pathParts(new JsonSchemas());
  return [...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => parts.get(name) ?? []);
}

/** The schemas that these refer to, by name. */
export function pathSchemas(): Readonly<Record<string, Schema>> {
  const schemas = new JsonSchemas();
  pathParts(schemas);
  return schemas.all;
}

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
