import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '#embedded-postgres/make-folder.js';
import { writeWhole } from '#embedded-postgres/write-whole.js';
import { isStrongSecret, STRONG_SECRET } from '#web/strong-secret.js';
import { StartupError } from '#web/startup-error.js';

const SECRET_BYTES = 32;

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new StartupError(`DATA_DIR: a secret cannot be read: ${message}`, { cause: error });
  }
}

/** Of two first runs at once the one that is first decides. */
function keepSecret(file: string, secret: string): void {
  try {
    writeWhole(file, `${secret}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * The secret kept in `DATA_DIR/<name>`, readable by its owner only; made on the first run.
 * Throws StartupError when it cannot be read or kept.
 */
export function generatedSecret(dataDir: string, name: string, make: () => string): string {
  const file = path.join(dataDir, name);
  const kept = readSecret(file);
  if (kept !== undefined) return kept;
  try {
    makeFolder(dataDir);
    keepSecret(file, make());
  } catch (error) {
    const { message } = error as Error;
    throw new StartupError(`DATA_DIR: a secret cannot be kept: ${message}`, { cause: error });
  }
  return readSecret(file) ?? '';
}

/** A secret of random bytes in `DATA_DIR/<name>`, which an operator may have put there too. */
function strongSecret(dataDir: string, name: string): string {
  const make = () => randomBytes(SECRET_BYTES).toString('base64url');
  const secret = generatedSecret(dataDir, name, make);
  if (/^[\x21-\x7e]+$/.test(secret) && isStrongSecret(secret)) return secret;
  throw new StartupError(
    `DATA_DIR: ${path.join(dataDir, name)} takes ${STRONG_SECRET}, ` +
      'all of them visible ASCII; delete the file to have a new one made',
  );
}

/** The admin token of a service with an embedded database, the same at every start. */
export function adminToken(dataDir: string): string {
  return strongSecret(dataDir, 'admin-token');
}

/** The key that encrypts the secrets of webhooks, the same at every start. */
export function webhookKey(dataDir: string): string {
  return strongSecret(dataDir, 'webhook-key');
}
