import { OpenApiMatcher, type SeenAnswer } from '../../../test/setup/openapi-matcher.js';
import { apiDocument } from '../src/openapi/api-document.js';
import { BASE_URL, type TestApi } from './test-api.js';

const matcher = OpenApiMatcher.made(apiDocument, BASE_URL);

export interface Ask {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly payload?: string | Buffer | object;
}

/** An answer that is known to be what the OpenAPI document promises. */
export interface CheckedAnswer extends SeenAnswer {
  readonly raw: Buffer;
  header(name: string): string | undefined;
  json(): Record<string, unknown>;
}

/** Throws unless an answer is what the OpenAPI document of the API promises. */
export function expectMatchesOpenApi(answer: SeenAnswer): void {
  matcher.expect(answer);
}

/** Asks the API and compares the answer with its document. */
export async function ask(
  api: TestApi,
  { method = 'GET', url, headers, payload }: Ask,
): Promise<CheckedAnswer> {
  const answer = await api.app.inject({ method, url, headers: { ...headers }, payload });
  const plain = answer.headers['content-encoding'] === undefined;
  const seen = {
    method,
    url,
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.body,
    raw: answer.rawPayload,
    header: (name: string) => answer.headers[name.toLowerCase()]?.toString(),
    json: () => JSON.parse(answer.body) as Record<string, unknown>,
  };
  if (plain) expectMatchesOpenApi({ ...seen, url: url.replace(/^https?:\/\/[^/]*/, '') });
  return seen;
}
