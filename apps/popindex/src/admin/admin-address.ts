import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Configuration } from '#web/configuration.js';
import type { CommandSettings } from '../settings/command-configuration.js';
import { localUrl } from '#web/configuration-urls.js';
import { serviceFile } from '#service/running-service.js';
import { StartupError } from '#web/startup-error.js';

/** Where the admin REST is asked, and with what. */
export interface AdminAddress {
  /** Without a slash at its end. */
  readonly url: string;
  /** Which settings it was made of, for those who wonder. */
  readonly from: string;
  readonly token: string;
}

function tokenOf({ adminToken, dataDir }: Configuration): string {
  if (adminToken !== null) return adminToken;
  const file = path.join(dataDir, 'admin-token');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StartupError(
      `ADMIN_TOKEN: takes an admin token; it is not set, and ${file} cannot be read ` +
        `(${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
      { cause: error },
    );
  }
}

/** Throws StartupError when there is no token. */
export function adminAddress({ configuration, service }: CommandSettings): AdminAddress {
  const { adminUrl, host, accountingPort, dataDir } = configuration;
  const token = tokenOf(configuration);
  if (adminUrl !== null) return { url: adminUrl, from: 'ADMIN_URL', token };
  const isOfService = service?.settings.ACCOUNTING_PORT === String(accountingPort);
  const from = isOfService ? serviceFile(dataDir) : 'HOST and ACCOUNTING_PORT';
  return { url: localUrl(host, accountingPort), from, token };
}
