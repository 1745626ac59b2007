import { pino, type Logger } from 'pino';
import type { Configuration } from '#web/configuration.js';
import { loggedError } from './logged-error.js';
import { readableLine } from './readable-line.js';
import { redacted } from './redacted.js';

/**
 * The process's structured log, on standard error; what a start prints for people is elsewhere.
 * JSON lines, but for a terminal, where a person reads them. No secret is in it.
 */
export function serviceLogger(configuration: Configuration): Logger {
  const { logLevel, mode } = configuration;
  const options = {
    level: logLevel,
    base: { process: mode, pid: process.pid },
    serializers: { err: (error: unknown) => loggedError(error) },
  };
  const target = pino.destination({ dest: 2, sync: true });
  const { adminToken, chargingSecret, webhookSecretKey } = configuration;
  const secrets = [adminToken, chargingSecret, webhookSecretKey].filter((each) => each !== null);
  const formed = process.stderr.isTTY ? readableLine : (line: string) => line;
  return pino(options, { write: (line: string) => target.write(formed(redacted(line, secrets))) });
}
