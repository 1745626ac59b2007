import { createHash, randomBytes } from 'node:crypto';
import { formatApiKey, randomApiKeyPart } from '#account/api-key.js';
import type { Command } from '#account/commands.js';
import type { Origin, ProfileReference } from '#account/terms.js';
import type { Buyer } from '#invoice-rules/invoice.js';
import type { Clock } from '#calendar/clock.js';
import type { Profile, Profiles } from '#projections/texts/profiles.js';
import { uuidV8 } from '#web/uuid.js';
import type { Decider } from '#deciding/submission.js';
import { generatedSecret } from './embedded-secrets.js';

const CREDITS = 5_000_000;
const NOT_AFTER_MS = 10_000;

export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const BUYER: Buyer = {
  name: 'Demo Kosmetik GmbH',
  address: { line1: 'Lindenallee 7', city: 'Berlin', postcode: '10115', country: 'DE' },
  vat_id: 'DE123456788',
  email: 'accounts@demo-kosmetik.example',
  buyer_reference: 'Market research',
};

/** Ids made of names, so that every start speaks of the same account and repeats nothing. */
export function idOf(name: string): string {
  return uuidV8(hashOf(`demo ${name}`));
}

export const DEMO_ACCOUNT_ID = idOf('account');

/** Of the credits to try the service with, and of the command that grants them. */
const GRANT = 'grant';
export const DEMO_GRANT_ID = idOf(GRANT);

/** The API key of the demo account, kept in `DATA_DIR/demo-api-key`. */
export function demoApiKey(dataDir: string): string {
  return generatedSecret(dataDir, 'demo-api-key', () => {
    let random = randomApiKeyPart(randomBytes(64));
    while (random === undefined) random = randomApiKeyPart(randomBytes(64));
    return formatApiKey('pix_live_', random);
  });
}

/** Decides the commands of the demo account, at the moment of its clock. */
export interface DemoDecider {
  readonly accounting: Decider;
  readonly profiles: Profiles;
  readonly clock: Clock;
}

/** Changes of the demo account. A change that was made under a name is not made again. */
export class DemoAccount {
  constructor(private readonly decider: DemoDecider) {}

  /** Opens it with the API key that is shown to whoever tries the service. */
  async begin(apiKey: string): Promise<void> {
    await this.open();
    await this.fillInBilling();
    await this.issueKey('Demo key', hashOf(apiKey).toString('hex'), apiKey.slice(-4));
  }

  private async open(): Promise<void> {
    const profile = await this.profile('account', { name: 'Demo account' });
    await this.change('opening', (origin) => ({
      command: 'open-account',
      origin,
      profile,
      currency: 'USD',
      overdraft: 0,
      test: true,
      testClock: null,
      rateLimit: null,
      lowBalance: null,
      rateCard: null,
      plan: null,
    }));
  }

  private async fillInBilling(): Promise<void> {
    const profile = await this.profile('billing', { buyer: BUYER });
    const tax = { category: 'AE', rate_percent: 0 } as const;
    await this.change('billing', (origin) => ({ command: 'change-billing', origin, profile, tax }));
  }

  /** `hash`: SHA-256 of the key, hex. */
  async issueKey(label: string, hash: string, lastFour: string): Promise<void> {
    const name = `api key ${hash}`;
    const profile = await this.profile(name, { label });
    await this.change(name, (origin) => ({
      command: 'issue-api-key',
      origin,
      keyId: idOf(name),
      hash,
      prefix: 'pix_live_',
      lastFour,
      scopes: ['data', 'account:read'],
      expiresAt: null,
      profile,
    }));
  }

  /** `price`: net, in minor units; null: they are promotional. */
  async grant(name: string, credits: number, price: number | null, note: string): Promise<void> {
    const profile = await this.profile(name, { note });
    await this.change(name, (origin) => ({
      command: 'grant-credits',
      origin,
      grantId: idOf(name),
      credits,
      kind: price === null ? 'promotional' : 'purchased',
      price,
      expiresAt: null,
      priority: 100,
      profile,
    }));
  }

  /** Sets a budget by calendar month with thresholds. */
  async setBudget(limit: number): Promise<void> {
    await this.change('budget', (origin) => ({
      command: 'set-budget',
      origin,
      budgetId: idOf('budget'),
      isNew: true,
      apiKeyId: null,
      period: 'month',
      limit,
      thresholds: [50, 80, 100],
      action: 'alert',
      notify: null,
    }));
  }

  private async change(name: string, command: (origin: Origin) => Command): Promise<void> {
    const origin = { by: 'system', request: DEMO_ACCOUNT_ID, input: name };
    await this.decide(idOf(name), command(origin), true);
  }

  /** Throws when the command is refused. */
  async decide(callId: string, command: Command, isRetry: boolean): Promise<void> {
    const { accounting, clock } = this.decider;
    const notAfter = clock.now() + NOT_AFTER_MS;
    const asked = { accountId: DEMO_ACCOUNT_ID, callId, isRetry, notAfter, command };
    const { refusal } = await accounting.submit(asked);
    // It was made, too long ago for a customer to be answered again.
    if (refusal === null || refusal.reason === 'idempotency-key-used') return;
    throw new Error(`Demo account: ${JSON.stringify(refusal)}`);
  }

  private profile(name: string, body: Profile): Promise<ProfileReference> {
    return this.decider.profiles.save(idOf(`profile ${name}`), DEMO_ACCOUNT_ID, body);
  }
}

/** Opens the demo account with credits and its API key. A second time it changes nothing. */
export async function openDemoAccount(decider: DemoDecider, apiKey: string): Promise<void> {
  const account = new DemoAccount(decider);
  await account.begin(apiKey);
  await account.grant(GRANT, CREDITS, null, 'To try the service with.');
}
