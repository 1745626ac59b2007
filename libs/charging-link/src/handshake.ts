import { createHmac, timingSafeEqual } from 'node:crypto';

/** Raised by a change that an older peer would misread; members may be added without. */
export const PROTOCOL_VERSION = 3;
/** An API process speaks it with accounting processes that are not upgraded yet. */
export const EARLIER_VERSION = 2;

const NONCE = /^[0-9a-f]{64}$/;
const PROOF = /^[0-9a-f]{64}$/;

/** Why a peer is not let in, or does not let us in. */
export type HandshakeRefusal =
  | { readonly refused: 'malformed' }
  | { readonly refused: 'version'; readonly version: unknown }
  | { readonly refused: 'secret' };

/** The four messages that open a connection, in their order: API, accounting, API, accounting. */
export interface Hello {
  readonly kind: 'hello';
  readonly version: number;
  readonly nonce: string;
}
export interface Challenge {
  readonly kind: 'challenge';
  readonly version: number;
  readonly nonce: string;
}
export interface Proof {
  readonly kind: 'proof';
  readonly proof: string;
}
export interface Welcome {
  readonly kind: 'welcome';
  readonly proof: string;
}

/** Sent in place of any of them, so that both sides can say what is wrong. */
export interface RefusedHandshake {
  readonly kind: 'refused';
  readonly reason: HandshakeRefusal['refused'];
  readonly version: number;
}

/** `nonce`: 64 hex digits, never used before. */
export function hello(nonce: string, version = PROTOCOL_VERSION): Hello {
  return { kind: 'hello', version, nonce };
}

/** State of the accounting side after it has challenged a peer. */
export interface PendingProof {
  readonly reply: Challenge;
  /** The proof that it takes. */
  readonly expected: string;
  /** Its own proof, for a peer that has proven itself. */
  readonly own: string;
}

/** The accounting side's answer to a hello: a nonce, and nothing that depends on the secret. */
export function challenge(
  secret: string,
  message: unknown,
  nonce: string,
): PendingProof | HandshakeRefusal {
  const wrong = refusalIn(message) ?? wrongOpening(message, 'hello', nonce, PROTOCOL_VERSION);
  if (wrong !== undefined) return wrong;
  const nonces = { api: (message as Hello).nonce, accounting: nonce };
  return {
    reply: { kind: 'challenge', version: PROTOCOL_VERSION, nonce },
    expected: proofOf(secret, PROTOCOL_VERSION, 'api', nonces),
    own: proofOf(secret, PROTOCOL_VERSION, 'accounting', nonces),
  };
}

/** The API side's answer to a challenge, and the proof that it takes in return. */
export function prove(
  secret: string,
  nonce: string,
  message: unknown,
  version = PROTOCOL_VERSION,
): { readonly reply: Proof; readonly expected: string } | HandshakeRefusal {
  const wrong = refusalIn(message) ?? wrongOpening(message, 'challenge', nonce, version);
  if (wrong !== undefined) return wrong;
  const challenged = message as Challenge;
  const nonces = { api: nonce, accounting: challenged.nonce };
  return {
    reply: { kind: 'proof', proof: proofOf(secret, version, 'api', nonces) },
    expected: proofOf(secret, version, 'accounting', nonces),
  };
}

/** The accounting side's verdict on a proof. */
export function admit(
  { expected, own }: Pick<PendingProof, 'expected' | 'own'>,
  message: unknown,
): { readonly reply: Welcome } | HandshakeRefusal {
  const wrong = refusalIn(message);
  if (wrong !== undefined) return wrong;
  if (!isKind(message, 'proof')) return { refused: 'malformed' };
  if (!sameProof(message.proof, expected)) return { refused: 'secret' };
  return { reply: { kind: 'welcome', proof: own } };
}

/** Whether the accounting side has let us in. `expected`: as `prove` returned it. */
export function welcomed(
  expected: string,
  message: unknown,
): Record<never, never> | HandshakeRefusal {
  if (!isKind(message, 'welcome')) return refusalIn(message) ?? { refused: 'malformed' };
  return sameProof(message.proof, expected) ? {} : { refused: 'secret' };
}

/** The version in which a peer that refuses ours can be asked again, if there is one. */
export function otherVersion(refusal: HandshakeRefusal, ours: number): number | undefined {
  if (refusal.refused !== 'version') return undefined;
  return [PROTOCOL_VERSION, EARLIER_VERSION].find(
    (version) => version === refusal.version && version !== ours,
  );
}

export function refusedMessage({ refused }: HandshakeRefusal): RefusedHandshake {
  return { kind: 'refused', reason: refused, version: PROTOCOL_VERSION };
}

/** A refusal as a sentence for the log, without anything secret. */
export function refusalText(refusal: HandshakeRefusal): string {
  switch (refusal.refused) {
    case 'secret':
      return 'the two sides have different values of CHARGING_SECRET';
    case 'version':
      return (
        `it speaks version ${JSON.stringify(refusal.version)} of the charging protocol, ` +
        `this process version ${PROTOCOL_VERSION}`
      );
    case 'malformed':
      return 'it does not speak the charging protocol';
  }
}

/** Roles and both nonces are part of it: no proof is good for another connection or direction. */
function proofOf(
  secret: string,
  version: number,
  role: 'api' | 'accounting',
  nonces: { readonly api: string; readonly accounting: string },
): string {
  return createHmac('sha256', secret)
    .update(`popindex charging ${version} ${role} ${nonces.api} ${nonces.accounting}`)
    .digest('hex');
}

function sameProof(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || !PROOF.test(given)) return false;
  return timingSafeEqual(Buffer.from(given, 'hex'), Buffer.from(expected, 'hex'));
}

function wrongOpening(
  message: unknown,
  kind: 'hello' | 'challenge',
  ourNonce: string,
  version: number,
): HandshakeRefusal | undefined {
  if (!isKind(message, kind)) return { refused: 'malformed' };
  if (message.version !== version) return { refused: 'version', version: message.version };
  const { nonce } = message;
  if (typeof nonce !== 'string' || !NONCE.test(nonce)) return { refused: 'malformed' };
  // Only an echo would send our own nonce back.
  return nonce === ourNonce ? { refused: 'malformed' } : undefined;
}

function refusalIn(message: unknown): HandshakeRefusal | undefined {
  if (!isKind(message, 'refused')) return undefined;
  if (message.reason === 'version') return { refused: 'version', version: message.version };
  return { refused: message.reason === 'secret' ? 'secret' : 'malformed' };
}

function isKind(message: unknown, kind: string): message is Record<string, unknown> {
  return (
    typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind
  );
}
