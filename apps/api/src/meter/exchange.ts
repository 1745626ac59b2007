import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from './meter.js';
import type { HeaderList } from './sold-headers.js';

/** One request for a metered resource, and the way to its answer. */
export class Exchange implements Client {
  readonly requestId = randomUUID();

  /** `always`: headers of every answer of the server. */
  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    private readonly always: readonly string[],
  ) {}

  gone(): boolean {
    return this.response.destroyed;
  }

  whenOver(then: () => void): void {
    this.response.on('close', then);
  }

  /** For whoever answers in its place. */
  setAlways(): void {
    for (let at = 0; at < this.always.length; at += 2) {
      this.response.setHeader(this.always[at] ?? '', this.always[at + 1] ?? '');
    }
  }

  answer(status: number, headers: HeaderList, body?: Buffer | string): void {
    headers.push(...this.always);
    this.response.writeHead(status, headers).end(body);
  }
}
