import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { OpenApiMatcher } from '../setup/openapi-matcher.js';
import type { RawAnswer } from './answer-reader.js';
import type { ExchangePlan } from './exchange-plan.js';
import type { Asked } from './fuzz-request.js';
import type { Transcript } from './raw-exchange.js';

const SCHEME = /^https?:\/\/[^/?#]*/i;
/** Headers without which a refusal of that status says too little. */
const NEEDED: Readonly<Record<number, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
};

/** Everything that is wrong about how an exchange went; empty when nothing is. */
export function exchangeFaults(
  plan: ExchangePlan,
  transcript: Transcript,
  matcher: OpenApiMatcher,
): string[] {
  const faults = transcript.answers.flatMap((answer, index) =>
    answerFaults(answer, plan.asked[index], matcher),
  );
  return [...faults, ...courseFaults(plan, transcript)];
}

/** Whether as much was answered as was asked, in time, and the connection ended as it should. */
function courseFaults(plan: ExchangePlan, { answers, rest, fault, end, ms }: Transcript): string[] {
  const faults: string[] = [];
  if (fault !== null) faults.push(`the bytes of the answer: ${fault}`);
  if (end === 'refused') faults.push('the connection was refused');
  if (end === 'hangs') faults.push(`neither answered nor closed within ${Math.round(ms)} ms`);
  if (answers.length > plan.answersMax) {
    faults.push(`${answers.length} answers to at most ${plan.answersMax} requests`);
  }
  if (plan.ending === 'hangs-up' || plan.ending === 'resets') return faults;
  if (rest.length > 0 && fault === null) faults.push('an answer is cut off');
  const isEnded = answers.at(-1)?.headers['connection'] === 'close';
  if (plan.whole && answers.length < plan.answersMax && !isEnded) {
    faults.push(`${answers.length} answers to ${plan.answersMax} requests (${end})`);
  }
  return faults;
}

function answerFaults(
  answer: RawAnswer,
  asked: Asked | undefined,
  matcher: OpenApiMatcher,
): string[] {
  const { status, headers } = answer;
  const faults: string[] = [];
  if (status >= 500) faults.push(`status ${status}`);
  const needed = NEEDED[status];
  if (needed !== undefined && !headers[needed]) faults.push(`${status} without ${needed}`);
  if (headers['x-content-type-options'] !== 'nosniff' && status !== 204) {
    faults.push('a type may be guessed');
  }
  if (status >= 400) {
    const kept = ['credits-used', 'call-id', 'etag', 'link'].filter((name) => name in headers);
    if (kept.length > 0) faults.push(`${status} with ${kept.join(', ')}`);
  }
  return [...faults, ...documentFaults(answer, asked, matcher)];
}

function documentFaults(
  { status, headers, body }: RawAnswer,
  asked: Asked | undefined,
  matcher: OpenApiMatcher,
): string[] {
  const { method = 'GET', target = '/' } = asked ?? {};
  const path = target.replace(SCHEME, '');
  const url = path.startsWith('/') ? path : `/${path}`;
  try {
    const text = method === 'HEAD' ? '' : decoded(body, headers['content-encoding']);
    return matcher.faults({ method, url, status, headers, body: text });
  } catch (error) {
    return [`the answer cannot be read: ${(error as Error).message}`];
  }
}

function decoded(body: Buffer, coding: string | undefined): string {
  if (coding === 'gzip') return gunzipSync(body).toString('utf8');
  if (coding === 'br') return brotliDecompressSync(body).toString('utf8');
  return body.toString('utf8');
}
