import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendAnswer } from '#web/server/send-answer.js';
import type { Client } from './meter.js';

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

  /** `lines`: headers, as `sendAnswer` takes them. */
  answer(status: number, lines: string, body?: Buffer | string): void {
    let all = lines;
    for (let at = 0; at < this.always.length; at += 2) {
      all += `${this.always[at]}: ${this.always[at + 1]}\r\n`;
    }
    sendAnswer(this.response, status, all, body);
  }
}
