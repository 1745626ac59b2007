import { Connection } from '#client/connection.js';
import { ConnectionError } from '#client/problem-error.js';
import { StartupError } from '#web/startup-error.js';
import {
  isServiceShown,
  settingsBesideService,
  type CommandSettings,
} from '../settings/command-configuration.js';
import { adminAddress } from './admin-address.js';

const ATTEMPTS = 3;
const ANSWER_MS_MAX = 120_000;

/** The code of the innermost fault of a fetch, as ECONNREFUSED, or its message. */
function codeOf(error: unknown): string {
  const { cause, code, message } = error as { cause?: unknown; code?: unknown; message?: unknown };
  if (cause !== undefined && cause !== null) return codeOf(cause);
  return typeof code === 'string' ? code : String(message);
}

/**
 * The admin REST as commands use it: paths are those below `/admin/v1`. Throws ProblemError for a
 * refusal, and StartupError when nobody answers there.
 */
export async function askAdmin<Answer>(
  ask: (admin: Connection) => Promise<Answer>,
): Promise<Answer> {
  const settings = await settingsBesideService();
  try {
    return await askAt(settings, ask);
  } catch (error) {
    const { configuration, service } = settings;
    const mayStart = error instanceof StartupError && service === undefined;
    if (!mayStart || configuration.adminUrl !== null) throw error;
    if (!(await isServiceShown(configuration))) throw error;
    return askAt(await settingsBesideService(), ask);
  }
}

async function askAt<Answer>(
  settings: CommandSettings,
  ask: (admin: Connection) => Promise<Answer>,
): Promise<Answer> {
  const { url, from, token } = adminAddress(settings);
  const admin = new Connection({
    baseUrl: `${url}/admin/v1`,
    headers: { Authorization: `Bearer ${token}` },
    timeoutMs: ANSWER_MS_MAX,
    attempts: ATTEMPTS,
  });
  try {
    return await ask(admin);
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    throw new StartupError(
      `popindex: the admin REST at ${url} does not answer (${codeOf(error)}). The address comes ` +
        `from ${from}; is the service running?`,
      { cause: error },
    );
  }
}
