import { ConnectionError, ProblemError } from '#client/problem-error.js';
import { inWords } from './fault-words.js';
import { UnansweredChangeError } from './request.js';

/** An error as the service answers it (RFC 9457), with the members that pages use. */
export interface Problem {
  readonly code: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly value?: string;
    readonly detail?: string;
    readonly allowed?: readonly string[];
  }[];
  readonly required_credits?: number;
  readonly max_credits?: number;
  readonly available_credits?: number | null;
  readonly left_credits?: number;
  readonly resets_at?: string;
}

const READS_ON = 'Check the connection. This page reads again by itself once the service is back.';
const NOT_CONFIRMED =
  'The change is not confirmed, and is not sent again by itself. Once the service is back, look ' +
  'whether it was made; if it was not, make it again.';

const CODE_MISSING = {
  code: 'page',
  title: 'A part of this page could not be fetched',
  detail: 'The connection was lost, or the service has a newer version. Reload the page.',
};
const FAULT_OF_PAGE = {
  code: 'page',
  title: 'This page has met an error',
  detail: 'It is a fault of the page, and of nothing that you did. Reload the page.',
};

function offlineProblem(detail: string): Problem {
  return { code: 'offline', title: 'The service cannot be reached', detail, status: 0 };
}

/** The problem of an error, whatever was thrown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return withFilters(error.body as Problem);
  if (error instanceof UnansweredChangeError) return offlineProblem(NOT_CONFIRMED);
  if (error instanceof ConnectionError) return offlineProblem(READS_ON);
  if (isCodeMissing(error)) return { ...CODE_MISSING, status: 0 };
  return { ...FAULT_OF_PAGE, status: 0 };
}

/** Filters of a page are parameters of what it reads: a wrong one is named as the page names it. */
function withFilters(problem: Problem): Problem {
  const { parameters = [] } = problem;
  if (parameters.length === 0 || parameters.some((one) => one.in !== 'query')) return problem;
  const wrong = faultsOf({ parameters }).map(
    ({ field, detail }) => `${field.replaceAll('_', ' ')} (${detail.replace(/\.$/, '')})`,
  );
  const detail = `Correct or clear ${wrong.join(', ')}.`;
  return { ...problem, title: 'A filter of this page is wrong', detail };
}

/** True if a part of the page could not be fetched; each browser says so in words of its own. */
function isCodeMissing(error: unknown): boolean {
  return /dynamically imported module|importing a module script|preload CSS/i.test(String(error));
}

/** Id of the request that was refused, which finds it in the log of the service. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof ProblemError ? error.instance?.replace(/^urn:uuid:/, '') : undefined;
}

/** True if what an address names is not there; an id that cannot be one names nothing either. */
export function isNotFound(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  const { status, parameters = [] } = problemOf(error);
  const isId = (one: { in: string; name: string }) => one.in === 'path' || one.name === 'id';
  return status === 404 || (status === 400 && parameters.some(isId));
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 401;
}

/** Faults by the field of the form they belong to; the others, for the top of the form. */
export interface FormFaults {
  readonly fields: Readonly<Record<string, string>>;
  readonly rest: readonly string[];
}

/** `/thresholds/1` belongs to the field `thresholds` if the form has one of that name. */
export function formFaults(error: unknown, names: readonly string[]): FormFaults {
  if (error === null || error === undefined) return { fields: {}, rest: [] };
  const problem = problemOf(error);
  const faults = faultsOf(problem);
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  for (const { field, detail } of faults) {
    const name = names.find((each) => field === each || field.startsWith(`${each}/`));
    if (name === undefined) rest.push(field === '' ? detail : `${field}: ${detail}`);
    else fields[name] = fields[name] === undefined ? detail : `${fields[name]} ${detail}`;
  }
  if (faults.length === 0) rest.push(problem.detail ?? problem.title);
  return { fields, rest };
}

function faultsOf(
  problem: Pick<Problem, 'errors' | 'parameters'>,
): { readonly field: string; readonly detail: string }[] {
  const ofBody = (problem.errors ?? []).map(({ pointer, detail }) => ({
    field: pointer.replace(/^\//, ''),
    detail: inWords(detail),
  }));
  const ofParameters = (problem.parameters ?? []).map(({ name, detail, allowed }) => ({
    field: name,
    detail: detail ?? (allowed === undefined ? 'Not allowed' : `One of ${allowed.join(', ')}`),
  }));
  return [...ofBody, ...ofParameters];
}
