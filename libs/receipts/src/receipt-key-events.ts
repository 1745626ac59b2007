import type { Fold } from '#event-log/fold.js';
import { formatInstant, parseInstant } from '#calendar/instant.js';

// The name is the stored format of lane 0: members may be added, never renamed.

export const RECEIPT_KEY_MADE = 'ReceiptKeyMade';

/** A key that receipts are signed with. Its private half is in no event. */
export interface ReceiptKeyMade {
  /** Its JWK thumbprint (RFC 7638). */
  readonly kid: string;
  /** 32 bytes, base64url: `x` of the JWK. */
  readonly public_key: string;
  /** From when on it signs. */
  readonly signs_from: string;
}

/** A key as the system's stream records it. Moments in ms since 1970. */
export interface ReceiptKey {
  readonly kid: string;
  readonly publicKey: string;
  readonly signsFrom: number;
}

/** All keys there ever were, in the order in which they sign. */
export const RECEIPT_KEYS: Fold<readonly ReceiptKey[]> = {
  initial: () => [],
  evolve: (keys, { type, data }) =>
    type === RECEIPT_KEY_MADE ? [...keys, keyOf(JSON.parse(data) as ReceiptKeyMade)] : keys,
};

/** Data of the event that makes a key. */
export function receiptKeyMade({ kid, publicKey, signsFrom }: ReceiptKey): ReceiptKeyMade {
  return { kid, public_key: publicKey, signs_from: formatInstant(signsFrom) };
}

function keyOf({ kid, public_key: publicKey, signs_from: from }: ReceiptKeyMade): ReceiptKey {
  const signsFrom = parseInstant(from);
  if (signsFrom === undefined) throw new Error(`Key ${kid} of receipts signs from no moment.`);
  return { kid, publicKey, signsFrom };
}

/** The key that signs at a moment (ms since 1970). */
export function signingKey(keys: readonly ReceiptKey[], now: number): ReceiptKey | undefined {
  return keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];
}
