import { methodsText, pulledText } from './client-text.js';
import type { DescribedInterface } from './described.js';
import { problemCodes, schemaNames, schemasText } from './schemas-text.js';

const INDEX = `export { createAdminClient, type AdminClient } from './admin-client.js';
export { etagOf, headersOf } from './answer-headers.js';
export type { AdminClientSettings, ClientSettings } from './build-clients.js';
export type { ChangeOptions, ConnectionSettings, RequestOptions } from './connection.js';
export type { Listing, Page } from './listing.js';
export { ConnectionError, ProblemError } from './problem-error.js';
export { isProblem, type Problem, type ProblemCode } from './problems.js';
export { createClient, type Client, type Data, type DataOf } from './public-client.js';
export type { PullOptions } from './pull.js';
export {
  ReceiptVerificationError,
  ReceiptVerifier,
  verifyReceipt,
  type Receipt,
  type ReceiptKeySet,
  type VerifiedReceipts,
} from './receipts.js';
export type * from './schemas.js';
export { verifyWebhook } from './typed-webhook.js';
export { WebhookVerificationError } from './webhook.js';
export type { CloudEvent, ReceivedWebhook, WebhookHeaders } from './webhook.js';
`;

const problemsText = (
  codes: readonly string[],
): string => `import { isProblem as isOfCode, ProblemError } from './problem-error.js';
import type { Problems } from './schemas.js';

export type ProblemCode = keyof Problems;

type OfAll = 'type' | 'code' | 'title' | 'status' | 'detail' | 'instance';

/** A refusal with the members that its code has. */
export type Problem<Code extends ProblemCode = ProblemCode> = ProblemError & {
  readonly code: Code;
  readonly body: Problems[Code];
  readonly members: Omit<Problems[Code], OfAll>;
};

/**
 * Whether something thrown is a refusal, and one of this code if there is one. The codes are
 * written out, so that the compiler lists them where one is wrong.
 */
export const isProblem = isOfCode as <
  Code extends ${codes.map((code) => `'${code}'`).join(' | ')} = ProblemCode,
>(
  thrown: unknown,
  code?: Code,
) => thrown is Problem<Code>;
`;

const TYPED_WEBHOOK = `import type { WebhookEvent } from './schemas.js';
import { verifyWebhook as verify, type ReceivedWebhook } from './webhook.js';

/**
 * The event of a webhook whose signature is right (Standard Webhooks, v1). Throws
 * WebhookVerificationError for any other.
 */
export const verifyWebhook: (received: ReceivedWebhook) => Promise<WebhookEvent> = verify;
`;

/** The generated modules of the package, by file name. The compiler lays them out. */
export function packageTexts(
  publicDocument: DescribedInterface,
  adminDocument: DescribedInterface,
): Readonly<Record<string, string>> {
  return {
    'schemas.ts': schemasText([publicDocument, adminDocument]),
    'problems.ts': problemsText(problemCodes([publicDocument, adminDocument])),
    'typed-webhook.ts': TYPED_WEBHOOK,
    'public-client.ts': publicText(publicDocument),
    'admin-client.ts': adminText(adminDocument),
    'index.ts': INDEX,
  };
}

function importsText(document: DescribedInterface): string {
  return `import type { ChangeOptions, RequestOptions } from './connection.js';
import type { Endpoint } from './endpoints.js';
import type { Listing } from './listing.js';
import type { ${schemaNames(document).join(', ')} } from './schemas.js';
`;
}

function publicText(document: DescribedInterface): string {
  return `import { buildClient, type ClientSettings } from './build-clients.js';
import type { PullOptions } from './pull.js';
${importsText(document)}
${pulledText(document, '/v1/')}

${methodsText(document, '/v1/', 'Methods')}

/** The public API, as the holder of an API key uses it. */
export interface Client extends Methods {
  /** Reads data, which is charged once, however often it has to be asked for. */
  pull<Path extends string>(path: Path, options?: PullOptions): Promise<DataOf<Path>>;
  /** Prices of calls, as if they were made in this order. Free. */
  quote(urls: readonly string[], options?: RequestOptions): Promise<Quote>;
  /** The earliest week whose answer was the same: "2026w40". Free, where a 304 costs a repeat. */
  unchangedSince(path: string, options?: RequestOptions): Promise<string>;
}

/** Makes a client for the public API. */
export function createClient(settings: ClientSettings): Client {
  return buildClient(settings, ENDPOINTS) as unknown as Client;
}
`;
}

function adminText(document: DescribedInterface): string {
  return `import { buildAdminClient, type AdminClientSettings } from './build-clients.js';
${importsText(document)}
${methodsText(document, '/admin/v1/', 'AdminClient')}

/** Makes a client for the admin REST. */
export function createAdminClient(settings: AdminClientSettings): AdminClient {
  return buildAdminClient(settings, ENDPOINTS) as unknown as AdminClient;
}
`;
}
