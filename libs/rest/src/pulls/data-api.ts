import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface AskedOfApi {
  readonly method: 'GET' | 'POST';
  /** From its first slash on; sent as it is. */
  readonly path: string;
  readonly apiKey: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** The API did not answer; `sent`: it may have been asked nevertheless. */
export class ApiAwayError extends Error {
  override readonly name = 'ApiAwayError';
  constructor(
    readonly sent: boolean,
    cause: unknown,
  ) {
    super('The data API does not answer.', { cause });
  }
}

const TIMEOUT_MS = 30_000;
const NEVER_SENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** The public API as any program calls it: its limits and its charges are those of everybody. */
export class DataApi {
  private readonly prefix: string;
  private readonly http = new HttpAgent({ keepAlive: true });
  private readonly https = new HttpsAgent({ keepAlive: true });

  /** `url`: where the API answers, without a slash at its end. */
  constructor(readonly url: string) {
    const { pathname } = new URL(url);
    this.prefix = pathname === '/' ? '' : pathname;
  }

  /** Throws ApiAwayError. Every status is an answer. */
  ask(asked: AskedOfApi): Promise<ApiAnswer> {
    const { method, path, apiKey, headers = {}, body } = asked;
    const isSecure = this.url.startsWith('https:');
    const options = {
      method,
      path: this.prefix + path,
      agent: isSecure ? this.https : this.http,
      timeout: TIMEOUT_MS,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const request = (isSecure ? httpsRequest : httpRequest)(this.url, options, (response) => {
        readText(response).then(
          (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          (error: unknown) => reject(new ApiAwayError(true, error)),
        );
      });
      request.on('timeout', () => request.destroy(new Error('It took too long.')));
      request.on('error', (error: NodeJS.ErrnoException) =>
        reject(new ApiAwayError(!NEVER_SENT.has(error.code ?? ''), error)),
      );
      request.end(body);
    });
  }

  /** Lets go of idle connections. */
  close(): void {
    this.http.destroy();
    this.https.destroy();
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
