import { access } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { StartupError } from '#web/startup-error.js';
import { settingsBesideService } from './settings/command-configuration.js';
import { callerPath } from './admin/caller-path.js';
import { checked, readJsonFile } from './exported-records.js';

const FILE = 'jwks.json';
const AT = '/.well-known/jwks.json';
const ANSWER_MS_MAX = 10_000;

const jwkSet = z.object({
  keys: z.array(
    z.object({
      kid: z.string(),
      kty: z.string(),
      crv: z.string().optional(),
      x: z.string(),
      exp: z.number().optional(),
    }),
  ),
});
type JwkSet = z.output<typeof jwkSet>;

/** Keys of receipts, and the file or address that they come from. */
export interface FoundKeys {
  readonly keys: JwkSet;
  readonly from: string;
}

/**
 * The keys of files of receipts: those of the file that is named, else those of a `jwks.json`
 * beside the first of them, else those of the service at `BASE_URL`. Throws StartupError.
 */
export async function findKeys(
  files: { readonly receipts: readonly string[]; readonly keys?: string | undefined },
  environment: NodeJS.ProcessEnv = process.env,
): Promise<FoundKeys> {
  if (files.keys !== undefined) return readKeys(files.keys);
  const beside = path.join(path.dirname(callerPath(files.receipts[0] ?? '')), FILE);
  const isThere = await access(beside).then(
    () => true,
    () => false,
  );
  return isThere ? readKeys(beside) : askKeys(beside, environment);
}

async function readKeys(file: string): Promise<FoundKeys> {
  return { keys: checked(jwkSet, await readJsonFile(file), file), from: file };
}

async function askKeys(beside: string, environment: NodeJS.ProcessEnv): Promise<FoundKeys> {
  const { baseUrl } = (await settingsBesideService(environment)).configuration;
  const url = `${baseUrl.replace(/\/$/, '')}${AT}`;
  let answer: unknown;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    answer = await response.json();
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    throw new StartupError(
      `popindex: there are no keys: ${beside} does not exist, and ${url} (of BASE_URL) cannot be ` +
        `read (${cause?.code ?? message}). Name a file with --keys.`,
      { cause: error },
    );
  }
  return { keys: checked(jwkSet, answer, url), from: url };
}
