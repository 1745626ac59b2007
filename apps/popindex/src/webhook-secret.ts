import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Configuration } from '#web/configuration.js';

/**
 * The key that encrypts the secrets of webhooks, as far as a command beside the service can know
 * it: the setting, the one that the service made in DATA_DIR, or the secret of split processes.
 * Null: none of them.
 */
export function webhookSecret(configuration: Configuration): string | null {
  const { webhookSecretKey, chargingSecret, dataDir } = configuration;
  return webhookSecretKey ?? keptIn(dataDir) ?? chargingSecret;
}

function keptIn(dataDir: string): string | null {
  try {
    return readFileSync(path.join(dataDir, 'webhook-key'), 'utf8').trim();
  } catch {
    return null;
  }
}
