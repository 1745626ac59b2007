import type { Configuration } from '#web/configuration.js';
import { localUrl } from '#web/configuration-urls.js';

const LOOPBACK = /^(127\.|localhost$|::1$)/;

/** Secrets are shown only where nobody but this machine can use or read them. */
export function maySpeakSecrets({ databaseUrl, host }: Configuration): boolean {
  return databaseUrl === null && LOOPBACK.test(host);
}

/** What a start tells where it may; `demo`: of the demo account, if there is one. */
export interface SpokenSecrets {
  readonly adminToken: string;
  readonly demo: { readonly apiKey: string; readonly portalLink: string } | null;
}

/**
 * What a start prints for the one who started it: where everything is, and a first call. `secrets`:
 * null where none may be spoken.
 */
export function banner(configuration: Configuration, secrets: SpokenSecrets | null): string {
  const { baseUrl, host, accountingPort, portalUrl } = configuration;
  const admin = localUrl(host, accountingPort);
  const lines = [
    '',
    `Public API   ${baseUrl}   (read about it: ${baseUrl}/docs)`,
    `Admin REST   ${admin}/admin/v1   (read about it: ${admin}/docs)`,
  ];
  if (secrets !== null) lines.push(`Admin token  ${secrets.adminToken}`);
  lines.push(`Console      ${admin}/console/   (opens with an admin token)`);
  const demo = secrets?.demo ?? null;
  if (demo === null) lines.push(`Portal       ${portalUrl}`);
  else {
    lines.push(`Portal       ${demo.portalLink}   (works once, for 15 minutes)`);
    lines.push('', 'A first call:', '', firstCall(baseUrl, demo.apiKey));
  }
  return [...lines, '', 'Ready. Ctrl-C stops everything.', ''].join('\n');
}

function firstCall(baseUrl: string, apiKey: string): string {
  const path = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
  return `curl -i -H "Authorization: Bearer ${apiKey}" ${baseUrl}${path}`;
}
