import { mainRegion } from '#popularity/regions.js';
import path from 'node:path';
import type { Configuration } from '#web/configuration.js';
import { localUrl } from '#web/configuration-urls.js';
import { VERSION } from '#web/version.js';

const LOOPBACK = /^(127\.|localhost$|::1$)/;

/**
 * Secrets are shown on a terminal only, where no log keeps them, and only where nobody but this
 * machine can use them.
 */
export function canPrintSecrets(
  { databaseUrl, host }: Pick<Configuration, 'databaseUrl' | 'host'>,
  isTerminal: boolean,
): boolean {
  return isTerminal && databaseUrl === null && LOOPBACK.test(host);
}

/**
 * Credentials of the service, as a start prints them: secrets themselves, or where each is kept.
 */
export interface Credentials {
  readonly adminToken: string;
  /** Of the demo account, if there is one. `apiKey`: as a shell takes it in double quotes. */
  readonly demo: { readonly apiKey: string; readonly portal: string } | null;
}

/** Where the secrets are kept, for a start that must not show them. */
export function keptOpeners(
  { adminToken, dataDir, portalUrl }: Pick<Configuration, 'adminToken' | 'dataDir' | 'portalUrl'>,
  demoAccount: string | null,
): Credentials {
  const link = `npm run popindex -- portal link ${demoAccount} --role manager`;
  return {
    adminToken: adminToken === null ? `in ${fileOf(dataDir, 'admin-token')}` : 'as in ADMIN_TOKEN',
    demo:
      demoAccount === null
        ? null
        : {
            apiKey: `$(cat ${fileOf(dataDir, 'demo-api-key')})`,
            portal: `${portalUrl}   (opened by a link: ${link})`,
          },
  };
}

/** As a shell in the folder of this process takes it. */
function fileOf(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  const relative = path.relative(process.cwd(), file);
  const shown = relative.startsWith('..') ? file : relative;
  return /^[\w./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}

/** The text that a start prints: where everything is, and a first call. */
export function banner(
  { baseUrl, adminUrl, host, accountingPort, portalUrl }: Configuration,
  { adminToken, demo }: Credentials,
): string {
  const admin = adminUrl ?? localUrl(host, accountingPort);
  const lines = [
    '',
    `Popindex ${VERSION}`,
    '',
    `Public API   ${baseUrl}   (read about it: ${baseUrl}/docs)`,
    `Admin REST   ${admin}/admin/v1   (read about it: ${admin}/docs)`,
    `Admin token  ${adminToken}`,
    `Console      ${admin}/console/   (opens with an admin token)`,
  ];
  if (demo === null) lines.push(`Portal       ${portalUrl}`);
  else
    lines.push(
      `Portal       ${demo.portal}`,
      '',
      'A first call:',
      '',
      firstCall(baseUrl, demo.apiKey),
    );
  return [...lines, '', 'Ready. Ctrl-C stops everything.', ''].join('\n');
}

function firstCall(baseUrl: string, apiKey: string): string {
  const address = `/v1/latest/cat1/trends/top5/popindex/${mainRegion()}/beauty`;
  return `curl -i -H "Authorization: Bearer ${apiKey}" ${baseUrl}${address}`;
}
