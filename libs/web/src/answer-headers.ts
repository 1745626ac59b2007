import { type Problem, problemBody, statusOf } from './problem.js';

/** Sent with every answer: no client is to guess a type. */
export const SECURITY_HEADERS = { 'x-content-type-options': 'nosniff' } as const;

/** Sent by a server whose public address is https: browsers ask it in no other way for a year. */
export const HTTPS_ONLY = { 'Strict-Transport-Security': 'max-age=31536000' } as const;

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A problem as a whole answer: status, every header, body. */
export function problemAnswer(refused: Problem, baseUrl: string, requestId: string): PlainAnswer {
  const body = problemBody(refused, baseUrl, requestId);
  return {
    status: statusOf(refused),
    headers: {
      'content-type': PROBLEM_TYPE,
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'request-id': requestId,
      ...SECURITY_HEADERS,
      ...refused.headers,
    },
    body,
  };
}
