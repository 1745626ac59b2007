import type { LoggerService } from '@nestjs/common';
import type { Log } from '../log.js';

/** Nest's own messages in the service's log. What it says about routes at start is left out. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  log(): void {}

  fatal(message: unknown, ...rest: unknown[]): void {
    this.error(message, ...rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.target.error({ from: 'nest', rest }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.target.warn({ from: 'nest', rest }, String(message));
  }
}
