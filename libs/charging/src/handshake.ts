import { createHmac, timingSafeEqual } from 'node:crypto';

/** Raised by a change that an older peer would misread; members may be added without. */
export const PROTOCOL_VERSION = 1;
export const SECRET_CHARACTERS_MIN = 32;

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
  readonly proof: string;
}
export interface Proof {
  readonly kind: 'proof';
  readonly proof: string;
}
export interface Welcome {
  readonly kind: 'welcome';
}

/** Sent in place of any of them, so that both sides can say what is wrong. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: HandshakeRefusal['refused'];
  readonly version: number;
}

/** `nonce`: 64 hex digits, never used before. */
export function hello(nonce: string): Hello {
  return { kind: 'hello', version: PROTOCOL_VERSION, nonce };
}

/** The accounting side's answer to a hello, and the proof that it takes in return. */
export function challenge(
  secret: string,
  message: unknown,
  nonce: string,
): { readonly reply: Challenge; readonly expected: string } | HandshakeRefusal {
  const wrong = refusalIn(message) ?? wrongOpening(message, 'hello', nonce);
  if (wrong !== undefined) return wrong;
  const theirs = (message as Hello).nonce;
  const proof = proofOf(secret, 'accounting', theirs, nonce);
  return {
    reply: { kind: 'challenge', version: PROTOCOL_VERSION, nonce, proof },
    expected: proofOf(secret, 'api', theirs, nonce),
  };
}

/** The API side's answer to a challenge. It proves itself only to a peer that has proven itself. */
export function prove(
  secret: string,
  nonce: string,
  message: unknown,
): { readonly reply: Proof } | HandshakeRefusal {
  const wrong = refusalIn(message) ?? wrongOpening(message, 'challenge', nonce);
  if (wrong !== undefined) return wrong;
  const { nonce: theirs, proof } = message as Challenge;
  if (!sameProof(proof, proofOf(secret, 'accounting', nonce, theirs))) return { refused: 'secret' };
  return { reply: { kind: 'proof', proof: proofOf(secret, 'api', nonce, theirs) } };
}

/** The accounting side's verdict on a proof. */
export function admit(
  expected: string,
  message: unknown,
): { readonly reply: Welcome } | HandshakeRefusal {
  const wrong = refusalIn(message);
  if (wrong !== undefined) return wrong;
  if (!isKind(message, 'proof')) return { refused: 'malformed' };
  if (!sameProof(message.proof, expected)) return { refused: 'secret' };
  return { reply: { kind: 'welcome' } };
}

/** Whether the accounting side has let us in. */
export function welcomed(message: unknown): Record<never, never> | HandshakeRefusal {
  if (isKind(message, 'welcome')) return {};
  return refusalIn(message) ?? { refused: 'malformed' };
}

export function refusedMessage({ refused }: HandshakeRefusal): Refused {
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
  role: 'api' | 'accounting',
  apiNonce: string,
  accountingNonce: string,
): string {
  return createHmac('sha256', secret)
    .update(`popindex charging ${PROTOCOL_VERSION} ${role} ${apiNonce} ${accountingNonce}`)
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
): HandshakeRefusal | undefined {
  if (!isKind(message, kind)) return { refused: 'malformed' };
  if (message.version !== PROTOCOL_VERSION) return { refused: 'version', version: message.version };
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
