import type { Clock } from '#calendar/clock.js';
import type { Change } from '#deciding/changes/change.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { SystemChanges } from '#deciding/changes/system-changes.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { newKeyPair, publicJwk } from './key-pair.js';
import type { PrivateKeys } from './private-keys.js';
import {
  RECEIPT_KEY_MADE,
  RECEIPT_KEYS,
  receiptKeyMade,
  signingKey,
  type ReceiptKey,
} from './receipt-key-events.js';

/** The scope of idempotency keys. */
const SCOPE = 'receipt-keys';
/**
 * A key is listed for so long before it signs: longer than anybody keeps the list, and than any
 * process takes to find it.
 */
export const ANNOUNCED_MS = 10 * 60_000;

export interface ReceiptKeysParts {
  readonly system: Pick<SystemStream, 'read' | 'append'>;
  readonly changes: SystemChanges;
  readonly privateKeys: Pick<PrivateKeys, 'save' | 'find'>;
  readonly clock: Clock;
}

/** Every process takes the next key within this time; until then it signs with the one before. */
const TAKEN_MS = 60_000;

type ReceiptJwk = ReturnType<typeof publicJwk> & { readonly exp?: number };

/**
 * The public halves of all keys as a JWK set (RFC 7517), newest first. `exp` of a key that another
 * one follows: seconds since 1970 after which no call is dated that it has signed (the member has
 * that meaning in OpenID Federation 1.0, 8.7).
 */
export function jwkSet(keys: readonly ReceiptKey[]) {
  const listed = keys.map(({ kid, publicKey }, index): ReceiptJwk => {
    const later = keys.slice(index + 1).map(({ signsFrom }) => signsFrom);
    const jwk = publicJwk(kid, publicKey);
    if (later.length === 0) return jwk;
    return { ...jwk, exp: Math.ceil((Math.min(...later) + TAKEN_MS) / 1_000) };
  });
  return { keys: listed.toReversed() };
}

/**
 * The keys that sign receipts: made, replaced and listed. An event for each holds its public half
 * for ever, so that every receipt can be checked for ever.
 */
export class ReceiptKeys {
  constructor(private readonly parts: ReceiptKeysParts) {}

  /** In the order in which they sign. */
  list(): Promise<readonly ReceiptKey[]> {
    return this.parts.system.read(RECEIPT_KEYS);
  }

  /** Makes the first key, and another where nobody can sign with the present one any more. */
  async ensure(): Promise<void> {
    const { system, privateKeys, clock } = this.parts;
    const found = await this.list();
    const present = signingKey(found, clock.now());
    if (present !== undefined && (await privateKeys.find(present.kid)) !== undefined) return;
    const key = await this.draw(0);
    await system.append(RECEIPT_KEYS, (keys) =>
      // Another process may have made one meanwhile.
      keys.length > found.length
        ? null
        : { callId: null, type: RECEIPT_KEY_MADE, at: clock.now(), data: receiptKeyMade(key) },
    );
  }

  /** Makes the next key, which signs after it was listed for a while, or at once. */
  async rotate(change: Change, isAtOnce: boolean): Promise<ChangeResult<ReceiptKey>> {
    const { changes } = this.parts;
    const rotation = changes.of(SCOPE, change);
    const key = await this.draw(isAtOnce ? 0 : ANNOUNCED_MS);
    const { event, value, replayed } = await rotation.append(RECEIPT_KEYS, () => ({
      type: RECEIPT_KEY_MADE,
      data: receiptKeyMade(key),
    }));
    const made = event && (JSON.parse(event.data) as { readonly kid: string }).kid;
    const view = value.find(({ kid }) => kid === made);
    if (view === undefined) throw new Error(`Command ${rotation.id} made no key.`);
    return { view, replayed };
  }

  /** The private half first: no event may name a key that nobody can sign with. */
  private async draw(afterMs: number): Promise<ReceiptKey> {
    const { privateKeys, clock } = this.parts;
    const { kid, publicKey, privateKey } = newKeyPair();
    await privateKeys.save(kid, privateKey);
    return { kid, publicKey, signsFrom: clock.now() + afterMs };
  }
}
