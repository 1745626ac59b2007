import type { Command } from '#account/commands.js';
import type { Plan } from '#account/terms.js';

const CREDITS = 1_000_000_000_000;

/** Names of an account that a benchmark opens, and of its API key. */
export interface OpeningNames {
  readonly accountId: string;
  /** SHA-256 of the API key, in hex. */
  readonly apiKeyHash: string;
  readonly apiKeyLastFour: string;
  /** SHA-256 of the account's row of names, in hex; that row has the account's id. */
  readonly profileSha256: string;
}

/**
 * The commands that open an account with one API key and credits that never run out. With a plan
 * the row of its names says whom its invoices go to.
 */
export function openingCommands(names: OpeningNames, plan: Plan | null = null): Command[] {
  const { accountId, apiKeyHash, apiKeyLastFour, profileSha256 } = names;
  const origin = { by: 'system', request: accountId, input: '' };
  const profile = { id: accountId, sha256: profileSha256 };
  return [
    {
      command: 'open-account',
      origin,
      profile,
      currency: 'USD',
      overdraft: 0,
      test: false,
      testClock: null,
      rateLimit: { perSecond: 1_000_000, burst: 1_000_000 },
      lowBalance: null,
      rateCard: null,
      plan,
    },
    {
      command: 'issue-api-key',
      origin,
      keyId: accountId,
      hash: apiKeyHash,
      prefix: 'pix_live_',
      lastFour: apiKeyLastFour,
      scopes: ['data', 'account:read'],
      expiresAt: null,
      profile,
    },
    {
      command: 'grant-credits',
      origin,
      grantId: accountId,
      credits: CREDITS,
      kind: 'promotional',
      price: null,
      expiresAt: null,
      priority: 100,
      profile: null,
    },
    ...(plan === null ? [] : [{ command: 'change-billing', origin, profile } as const]),
  ];
}
