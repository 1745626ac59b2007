import { pino, type Logger } from 'pino';
import type { Configuration } from '#web/configuration.js';
import { loggedError } from './logged-error.js';

/** The process's structured log, on standard error; what a start prints for people is elsewhere. */
export function serviceLogger({ logLevel, mode }: Configuration): Logger {
  const options = {
    level: logLevel,
    base: { process: mode, pid: process.pid },
    serializers: { err: (error: unknown) => loggedError(error) },
  };
  return pino(options, pino.destination({ dest: 2, sync: true }));
}
