import { z } from 'zod';
import { TEST_TYPE } from '#deliveries/delivery-sender.js';
import type { Operation, Parameter, PathItem, Schema } from '#web/openapi-document.js';
import { exampleOf } from '../operation/examples.js';
import { JsonSchemas } from '../operation/json-schemas.js';
import { NOTIFICATIONS } from './notification.schemas.js';

const TYPES = Object.keys(NOTIFICATIONS) as (keyof typeof NOTIFICATIONS)[];

/** The part of an OpenAPI document that describes what webhooks receive. */
export interface DescribedWebhooks {
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** Headers of Standard Webhooks. */
const HEADERS: readonly Parameter[] = [
  header('webhook-id', 'Id of the event for this webhook: the same on each attempt.', {
    type: 'string',
    format: 'uuid',
  }),
  header('webhook-timestamp', 'Real time of the attempt, in seconds since 1970.', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `<id>.<timestamp>.<body>` in base64; several while a secret is replaced.',
    { type: 'string' },
  ),
];

function header(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'header', required: true, description, schema };
}

/** `isSystem`: with those of the service itself, which webhooks of one account do not receive. */
export function describeWebhooks(isSystem: boolean): DescribedWebhooks {
  const schemas = new JsonSchemas();
  const types = TYPES.filter((type) => isSystem || !isOfSystem(type));
  const webhooks = types.map((type) => [type, { post: describe(type, schemas) }] as const);
  return { webhooks: Object.fromEntries(webhooks), schemas: schemas.all };
}

function isOfSystem(type: string): boolean {
  return type.startsWith('release.');
}

function describe(type: keyof typeof NOTIFICATIONS, schemas: JsonSchemas): Operation {
  const { summary, description } = NOTIFICATIONS[type];
  const body = NOTIFICATION_BODIES[type];
  const media = { schema: schemas.of(body, 'output'), example: exampleOf(body) };
  return {
    operationId: `on${nameOf(type)}`,
    summary,
    description: `${description} Return a 2xx within 10 s; anything else is sent again.`,
    tags: ['Webhooks'],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/cloudevents+json': media } },
    responses: { '2XX': { description: 'The event is received.' } },
    security: [],
  };
}

/** `budget.threshold_crossed` → `BudgetThresholdCrossed`. */
function nameOf(type: string): string {
  return type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function bodyOf(type: keyof typeof NOTIFICATIONS): z.ZodType {
  const account = z.uuid();
  // A test of a webhook that receives the events of all accounts is of none.
  const ofAccount = type === TEST_TYPE ? account.optional() : account;
  const isSystem = isOfSystem(type);
  return z
    .strictObject({
      specversion: z.literal('1.0'),
      id: z.uuid().meta({ description: 'Equal to `webhook-id`.' }),
      source: z.string().meta({ format: 'uri', description: 'Public address of the service.' }),
      type: z.literal(type),
      ...(!isSystem && { subject: ofAccount.meta({ description: 'Id of the account.' }) }),
      time: z.iso
        .datetime()
        .meta({ description: 'Time of the event, by the clock of the account.' }),
      datacontenttype: z.literal('application/json'),
      data: z.strictObject({
        ...(!isSystem && { account_id: ofAccount }),
        ...NOTIFICATIONS[type].data,
      }),
    })
    .meta({ id: `${nameOf(type)}Notification`, description: NOTIFICATIONS[type].summary });
}

/** The body of each type of event. */
export const NOTIFICATION_BODIES = Object.fromEntries(
  TYPES.map((type) => [type, bodyOf(type)]),
) as Readonly<Record<keyof typeof NOTIFICATIONS, z.ZodType>>;
