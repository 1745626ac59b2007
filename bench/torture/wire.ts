import { once } from 'node:events';
import net from 'node:net';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface WireAnswer {
  readonly got: 'answer';
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** `silence`: neither an answer nor a close for as long as anybody waits. */
export type WireOutcome = WireAnswer | { readonly got: 'close' | 'silence' | 'left' };

/** Longest time without an answer or a close that a client puts up with. */
export const PATIENCE_MS = 15_000;

function requestText({ method, path, headers, body }: WireRequest): string {
  const all = { host: '127.0.0.1', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body ?? ''}`;
}

/** Takes one answer off the front of what has arrived, if it is there as a whole. */
function takeAnswer(bytes: Buffer, method: string): { answer: WireAnswer; rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const status = Number(first.split(' ')[1]);
  const isBare = method === 'HEAD' || status === 204 || status === 304;
  const length = isBare ? 0 : Number(headers.get('content-length'));
  if (!Number.isInteger(status) || Number.isNaN(length)) {
    throw new Error(`This answer cannot be read: ${first}`);
  }
  const from = end + 4;
  if (bytes.length < from + length) return null;
  const body = bytes.subarray(from, from + length).toString('utf8');
  return {
    answer: { got: 'answer', status, headers, body },
    rest: bytes.subarray(from + length),
  };
}

/** One connection of a client, with nothing of an HTTP library's own retries and repairs. */
export class Wire {
  /** On the clock of `performance.now()`. */
  readonly openedAt = performance.now();
  private readonly socket: net.Socket;
  private bytes: Buffer = Buffer.alloc(0);
  private ended = false;
  private wake: () => void = () => undefined;

  constructor(port: number) {
    this.socket = net.connect(port, '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk) => {
      this.bytes = Buffer.concat([this.bytes, chunk]);
      this.wake();
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.ended = true;
      this.wake();
    });
  }

  get isOpen(): boolean {
    return !this.ended && !this.socket.destroyed;
  }

  close(): void {
    this.socket.destroy();
  }

  /**
   * Sends all requests at once and reads their answers in order. `leaveAfterMs`: the client hangs
   * up then, whatever has arrived. Ends the connection unless every request was answered.
   */
  async ask(requests: readonly WireRequest[], leaveAfterMs?: number): Promise<WireOutcome[]> {
    this.socket.write(requests.map(requestText).join(''));
    const outcomes: WireOutcome[] = [];
    const patience = AbortSignal.timeout(leaveAfterMs ?? PATIENCE_MS);
    for (const { method } of requests) {
      const outcome = await this.next(method, patience);
      if (outcome.got === 'silence' && leaveAfterMs !== undefined) outcomes.push({ got: 'left' });
      else outcomes.push(outcome);
    }
    if (outcomes.some(({ got }) => got !== 'answer')) this.close();
    else if ((outcomes.at(-1) as WireAnswer).headers.get('connection') === 'close') this.close();
    return outcomes;
  }

  private async next(method: string, patience: AbortSignal): Promise<WireOutcome> {
    for (;;) {
      const taken = takeAnswer(this.bytes, method);
      if (taken !== null) {
        this.bytes = taken.rest;
        return taken.answer;
      }
      if (this.ended) return { got: 'close' };
      if (patience.aborted) return { got: 'silence' };
      const news = new Promise<void>((resolve) => (this.wake = resolve));
      const given = new AbortController();
      await Promise.race([
        news,
        once(patience, 'abort', { signal: given.signal }).catch(() => undefined),
      ]);
      given.abort();
    }
  }
}
