import { createHash, randomBytes } from 'node:crypto';
import { formatApiKey, randomApiKeyPart } from '#account/api-key.js';
import type { Command } from '#account/commands.js';
import type { Clock } from '#calendar/clock.js';
import type { Profile, Profiles } from '#ledger/profiles.js';
import { uuidV8 } from '#web/uuid.js';
import type { Accounting } from '../../accounting/src/charging/accounting.js';
import { generatedSecret } from './embedded-secrets.js';

const CREDITS = 5_000_000;
const NOT_AFTER_MS = 10_000;

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Ids made of names, so that every start speaks of the same account and repeats nothing. */
function idOf(name: string): string {
  return uuidV8(hashOf(`demo ${name}`));
}

export const DEMO_ACCOUNT_ID = idOf('account');

/** The API key of the demo account, kept in `DATA_DIR/demo-api-key`. */
export function demoApiKey(dataDir: string): string {
  return generatedSecret(dataDir, 'demo-api-key', () => {
    let random = randomApiKeyPart(randomBytes(64));
    while (random === undefined) random = randomApiKeyPart(randomBytes(64));
    return formatApiKey('pix_live_', random);
  });
}

/** Opens the demo account with credits and its API key. A second time it changes nothing. */
export async function openDemoAccount(
  accounting: Accounting,
  profiles: Profiles,
  clock: Clock,
  apiKey: string,
): Promise<void> {
  const hash = hashOf(apiKey).toString('hex');
  const keyId = idOf(`api key ${hash}`);
  const origin = (input: string) => ({ by: 'system', request: DEMO_ACCOUNT_ID, input });
  const profile = (name: string, body: Profile) =>
    profiles.save(idOf(`profile ${name}`), DEMO_ACCOUNT_ID, body);
  const submit = async (callId: string, command: Command): Promise<void> => {
    const notAfter = clock.now() + NOT_AFTER_MS;
    const accountId = DEMO_ACCOUNT_ID;
    const answer = await accounting.submit({
      accountId,
      callId,
      mayExist: true,
      notAfter,
      command,
    });
    if (answer.refusal !== null) throw new Error(`Demo account: ${JSON.stringify(answer.refusal)}`);
  };
  await submit(idOf('opening'), {
    command: 'open-account',
    origin: origin('opening'),
    profile: await profile('account', { name: 'Demo account' }),
    currency: 'USD',
    overdraft: 0,
    test: true,
    testClock: null,
    rateLimit: null,
    lowBalance: null,
    rateCard: null,
    plan: null,
  });
  await submit(keyId, {
    command: 'issue-api-key',
    origin: origin('api key'),
    keyId,
    hash,
    prefix: 'pix_live_',
    lastFour: apiKey.slice(-4),
    scopes: ['data', 'account:read'],
    expiresAt: null,
    profile: await profile(`api key ${hash}`, { label: 'Demo key' }),
  });
  await submit(idOf('grant'), {
    command: 'grant-credits',
    origin: origin('grant'),
    grantId: idOf('grant'),
    credits: CREDITS,
    kind: 'promotional',
    price: null,
    expiresAt: null,
    priority: 100,
    profile: await profile('grant', { note: 'To try the service with.' }),
  });
}
