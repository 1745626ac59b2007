import { SYSTEM_ACCOUNT, type StoredEvent } from '#event-log/event-log.js';
import { foldAll } from '#event-log/fold.js';
import type { NotificationType } from '#projections/projections/notification-types.js';
import { WEBHOOK_CREATED, WEBHOOK_SECRET_ROTATED, type WebhookCreated } from './webhook-events.js';
import { OLD_SECRET_SIGNS_MS, signingSecrets, wants, type Webhook } from './webhook.js';
import { WEBHOOKS } from './webhooks.js';

const ID = '00000000-0000-4000-8000-000000000001';
const ACCOUNT = '00000000-0000-4000-8000-0000000000aa';
const HOUR = 3_600_000;

function stored(type: string, data: object, at = 0): StoredEvent {
  const event = { accountId: SYSTEM_ACCOUNT, accountVersion: 1, lane: 0, position: 1 };
  return { ...event, callId: null, type, at, data: JSON.stringify(data) };
}

function creation(members: Partial<WebhookCreated> = {}): StoredEvent {
  const secret = { id: 'first', sha256: '' };
  const of = { webhook_id: ID, url: 'https://example.com', events: null, account_id: null };
  return stored(WEBHOOK_CREATED, { ...of, secret, profile: null, after: [], ...members });
}

function rotation(id: string, at: number): StoredEvent {
  return stored(WEBHOOK_SECRET_ROTATED, { webhook_id: ID, secret: { id, sha256: '' } }, at);
}

function webhook(...events: readonly StoredEvent[]): Webhook {
  const found = foldAll(WEBHOOKS, events).get(ID);
  if (found === undefined) throw new Error('There is no webhook.');
  return found;
}

describe('a webhook receives', () => {
  const receives = (
    of: Webhook,
    type: NotificationType,
    accountId = ACCOUNT,
    position = 6,
  ): boolean => wants(of, { lane: 3, position, accountId, type });
  const after = [9, 9, 9, 5];

  test.each([
    ['of everything unless it says otherwise', {}, 'balance.low', true],
    ['of the types that it asked for', { events: ['balance.low'] }, 'balance.low', true],
    ['of no other types', { events: ['balance.low'] }, 'grant.expired', false],
    ['of its own account', { account_id: ACCOUNT }, 'balance.low', true],
    ['of no other account', { account_id: ID }, 'balance.low', false],
  ] as const)('%s', (_rule, members, type, expected) => {
    expect(receives(webhook(creation({ ...members, after })), type)).toBe(expected);
  });

  test('of what concerns the system only without an account', () => {
    expect(receives(webhook(creation()), 'release.ready', SYSTEM_ACCOUNT)).toBe(true);
    const ofAccount = webhook(creation({ account_id: ACCOUNT }));
    expect(receives(ofAccount, 'release.ready', SYSTEM_ACCOUNT)).toBe(false);
  });

  test('of what came after it, lane by lane', () => {
    const of = webhook(creation({ after }));
    expect([4, 5, 6].map((position) => receives(of, 'balance.low', ACCOUNT, position))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('the secrets that sign', () => {
  const ids = (of: Webhook, now: number): string[] => signingSecrets(of, now).map(({ id }) => id);

  test('are the present one, and each one before until 24 hours after it was replaced', () => {
    const of = webhook(creation(), rotation('second', HOUR), rotation('third', 2 * HOUR));
    expect(ids(of, 2 * HOUR)).toEqual(['third', 'second', 'first']);
    expect(ids(of, HOUR + OLD_SECRET_SIGNS_MS)).toEqual(['third', 'second']);
    expect(ids(of, 2 * HOUR + OLD_SECRET_SIGNS_MS)).toEqual(['third']);
  });

  test('are eleven at most, however often it is replaced within 24 hours', () => {
    const rotations = Array.from({ length: 20 }, (_, index) => rotation(`${index}`, HOUR + index));
    const of = webhook(creation(), ...rotations);
    expect(ids(of, 2 * HOUR)).toEqual(Array.from({ length: 11 }, (_, index) => `${19 - index}`));
  });

  test('are kept no longer than they sign, once another replaces them', () => {
    const of = webhook(creation(), rotation('second', 0), rotation('third', OLD_SECRET_SIGNS_MS));
    expect(of.secrets.map(({ id }) => id)).toEqual(['third', 'second']);
  });
});
