import type { Configuration } from '#web/configuration.js';
import { localUrl } from '#web/configuration-urls.js';

const LOOPBACK = /^(127\.|localhost$|::1$)/;

/** Secrets are shown only where nobody but this machine can use or read them. */
export function maySpeakSecrets({ databaseUrl, host }: Configuration): boolean {
  return databaseUrl === null && LOOPBACK.test(host);
}

/** What a start prints for the one who started it: where everything is, and a first call. */
export function banner(
  configuration: Configuration,
  adminToken: string,
  demoApiKey: string | null,
): string {
  const { baseUrl, host, accountingPort } = configuration;
  const admin = localUrl(host, accountingPort);
  const lines = [
    '',
    `Public API   ${baseUrl}   (read about it: ${baseUrl}/docs)`,
    `Admin REST   ${admin}/admin/v1   (read about it: ${admin}/docs)`,
  ];
  if (maySpeakSecrets(configuration)) {
    lines.push(`Admin token  ${adminToken}`);
    if (demoApiKey !== null) {
      lines.push('', 'A first call:', '', firstCall(baseUrl, demoApiKey));
    }
  }
  return [...lines, '', 'Ready. Ctrl-C stops everything.', ''].join('\n');
}

function firstCall(baseUrl: string, apiKey: string): string {
  const path = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
  return `curl -i -H "Authorization: Bearer ${apiKey}" ${baseUrl}${path}`;
}
