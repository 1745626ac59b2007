/** The body of a refusal: application/problem+json (RFC 9457). */
export interface ProblemBody {
  /** Address of the page that explains it. */
  readonly type?: string;
  /** The slug of the problem: `out-of-credits`. */
  readonly code: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  /** Holds the id of the request, which finds it in the log of the service. */
  readonly instance?: string;
  readonly [member: string]: unknown;
}

/** A refusal by the service. */
export class ProblemError extends Error {
  override readonly name: string = 'ProblemError';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly instance: string | undefined;
  /** Members of this problem alone, such as `required_credits`. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    /** As it was sent. */
    readonly body: ProblemBody,
    readonly headers: Headers,
  ) {
    const { type: _type, code, title, status, detail, instance, ...members } = body;
    super(detail ?? title);
    this.code = code;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.instance = instance;
    this.members = members;
  }
}

/** No answer of the service arrived: the connection was refused, was lost, or took too long. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** Whether something thrown is a refusal, and one of this code if there is one. */
export function isProblem(thrown: unknown, code?: string): thrown is ProblemError {
  return thrown instanceof ProblemError && (code === undefined || thrown.code === code);
}

/** A hint for where something else than the service answers. */
export const OTHER_PLACE = 'Is baseUrl the address of the service, and is this its port?';

/** Why there was no answer, of an error of `fetch`. */
export function lossText(error: unknown): string {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
  if (code === 'ECONNREFUSED') return `the connection was refused (${code}); ${NOBODY}`;
  if (code === 'ENOTFOUND') return `there is no such host (${code}); ${NOBODY}`;
  return `the connection was lost${code === undefined ? '' : ` (${code})`}`;
}

const NOBODY = 'is baseUrl right, and does the service run';

/** Reads a refusal. One that is no problem (a proxy's) has the code `internal`. */
export async function problemOf(response: Response, url: string): Promise<ProblemError> {
  const { status, statusText, headers } = response;
  const body = (await response.json().catch(() => null)) as Partial<ProblemBody> | null;
  const { code = 'internal', title = statusText || `An answer with status ${status}` } = body ?? {};
  const type = headers.get('content-type') ?? 'no type';
  // An answer to HEAD has no body.
  const hint = type.startsWith('application/problem+json') ? '' : ` ${OTHER_PLACE}`;
  const detail = body?.detail ?? `${url} answered with status ${status} and ${type}.${hint}`;
  return new ProblemError({ ...body, code, title, status, detail }, headers);
}
