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

/** No answer arrived: the connection was refused, was lost, or took too long. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** Whether something thrown is a refusal, and one of this code if there is one. */
export function isProblem(thrown: unknown, code?: string): thrown is ProblemError {
  return thrown instanceof ProblemError && (code === undefined || thrown.code === code);
}

/** Reads a refusal. One that is no problem (a proxy's) has the code `internal`. */
export async function problemOf(response: Response): Promise<ProblemError> {
  const { status, statusText, headers } = response;
  const body = (await response.json().catch(() => null)) as Partial<ProblemBody> | null;
  const { code = 'internal', title = statusText || `An answer with status ${status}` } = body ?? {};
  return new ProblemError({ ...body, code, title, status }, headers);
}
