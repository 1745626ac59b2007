import { PROBLEMS, problem, ProblemException, type ProblemSlug } from '#web/problem.js';
import { accountingUnavailable } from '#web/refusal-problem.js';
import type { ApiAnswer } from './data-api.js';

/** Members of every problem, which this server sets itself. */
const OWN = ['type', 'code', 'title', 'status', 'detail', 'instance'];

/** The refusal of the API as this server's own; what is none comes from something in between. */
export function forwardedProblem({ status, headers, text }: ApiAnswer): ProblemException {
  const isProblem = headers['content-type']?.startsWith('application/problem+json') === true;
  const body = isProblem ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {};
  const { code, detail } = body;
  if (typeof code !== 'string' || !Object.hasOwn(PROBLEMS, code) || typeof detail !== 'string') {
    return new ProblemException(accountingUnavailable(`The data API answers with ${status}.`));
  }
  const members = Object.fromEntries(Object.entries(body).filter(([name]) => !OWN.includes(name)));
  const retryAfter = headers['retry-after'];
  const more: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return new ProblemException(problem(code as ProblemSlug, detail, members, more));
}
