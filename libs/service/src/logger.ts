import { pino, type Logger } from 'pino';
import type { Configuration } from '#web/configuration.js';
import { loggedError } from './logged-error.js';
import { readableLine } from './readable-line.js';
import { redacted } from './redacted.js';

const UNWRITTEN_BYTES_MAX = 1_000_000;

/**
 * The process's structured log, on standard error; what a start prints for people is elsewhere.
 * JSON lines, but for a terminal, where a person reads them. No secret is in it.
 */
export function serviceLogger(configuration: Configuration): Logger {
  const { logLevel, mode } = configuration;
  const options = {
    level: logLevel,
    base: { process: mode, pid: process.pid },
    formatters: { level: (level: string) => ({ level }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => loggedError(error) },
  };
  const target = pino.destination({ dest: 2, sync: true, maxLength: UNWRITTEN_BYTES_MAX });
  // A terminal that was closed, a full disk: a log that cannot be written ends no service.
  target.on('error', () => undefined);
  const { adminToken, chargingSecret, webhookSecretKey } = configuration;
  const secrets = [adminToken, chargingSecret, webhookSecretKey].filter((each) => each !== null);
  const formed = process.stderr.isTTY ? readableLine : (line: string) => line;
  return pino(options, { write: (line: string) => target.write(formed(redacted(line, secrets))) });
}
