/** The content of a receipt: one call, as it was charged. */
export interface Receipt {
  readonly call_id: string;
  readonly account_id: string;
  /** When it was charged. */
  readonly at: string;
  readonly key: string;
  readonly credits_used: number;
  /** After the call. */
  readonly balance: number;
  /** Of the account after the call, with the head of its chain. */
  readonly account_version: number;
  readonly account_head: string;
}

/** The answer of `/.well-known/jwks.json`. Keys of other kinds are passed over. */
export interface ReceiptKeySet {
  readonly keys: readonly {
    readonly kid?: string;
    readonly kty?: string;
    readonly crv?: string;
    readonly x?: string;
    /** Seconds since 1970 after which no call is dated that the key has signed. */
    readonly exp?: number;
  }[];
}

/** The counts of many receipts. */
export interface VerifiedReceipts {
  readonly verified: number;
  readonly failed: number;
}

/** A receipt that the service did not sign, or that was changed since. */
export class ReceiptVerificationError extends Error {
  override readonly name: string = 'ReceiptVerificationError';
}

/** Whether bytes were signed with the private half of a key. */
export type SignatureCheck = (
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
) => boolean | Promise<boolean>;

type CheckWith = (x: string) => Promise<SignatureCheck>;

interface ParsedReceipt {
  readonly kid: string;
  readonly signed: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
  readonly content: string;
}

const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]{86})$/;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
/** Receipts that are verified at the same time; the platform does it in threads. */
const AT_ONCE = 64;

/** Verifies receipts with the listed keys, without the service. */
export class ReceiptVerifier {
  readonly #keys: ReadonlyMap<string, Promise<SignatureCheck>>;
  /** Ms since 1970, of keys that have ended. */
  readonly #ends: ReadonlyMap<string, number>;
  /** By text: receipts of a key all have the same one. */
  readonly #headers = new Map<string, string>();

  /**
   * `checkWith`: makes the check of a key of its `x`, with WebCrypto by default; a native library
   * may be faster.
   */
  constructor({ keys }: ReceiptKeySet, checkWith: CheckWith = checkWithWebCrypto) {
    const usable = keys.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519');
    this.#keys = new Map(usable.map(({ kid = '', x = '' }) => [kid, checkWith(x)]));
    this.#ends = new Map(
      usable.flatMap(({ kid = '', exp }) => (exp === undefined ? [] : [[kid, exp * 1_000]])),
    );
    for (const key of this.#keys.values()) key.catch(() => undefined);
  }

  /** The content of a receipt. Throws ReceiptVerificationError. */
  async verify(receipt: string): Promise<Receipt> {
    const { kid, signed, signature, content } = this.#parse(receipt);
    const check = await this.#keys.get(kid);
    if (check === undefined) throw new ReceiptVerificationError(`There is no key ${kid}.`);
    if (!(await check(signature, signed))) {
      throw new ReceiptVerificationError('The signature is not right.');
    }
    const read = JSON.parse(content) as Receipt;
    const end = this.#ends.get(kid);
    // A key that has ended may be in wrong hands: what it signs is of no later time.
    if (end !== undefined && !(Date.parse(read.at) <= end)) {
      throw new ReceiptVerificationError(
        `It is dated ${read.at}, after its key ended (${new Date(end).toISOString()}).`,
      );
    }
    return read;
  }

  /**
   * Verifies many, some at a time, in any order. `each` is called with the place of each, from 0
   * on, and its content, or what is wrong with it.
   */
  async verifyAll(
    receipts: Iterable<string> | AsyncIterable<string>,
    each?: (place: number, outcome: Receipt | ReceiptVerificationError) => void,
  ): Promise<VerifiedReceipts> {
    const counts = { verified: 0, failed: 0 };
    const source = eachOf(receipts);
    let place = 0;
    const verifyNext = async (): Promise<void> => {
      for (let next = await source.next(); next.done !== true; next = await source.next()) {
        const own = place++;
        const outcome = await this.#outcomeOf(next.value);
        counts[outcome instanceof ReceiptVerificationError ? 'failed' : 'verified'] += 1;
        each?.(own, outcome);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, verifyNext));
    return counts;
  }

  async #outcomeOf(receipt: string): Promise<Receipt | ReceiptVerificationError> {
    try {
      return await this.verify(receipt);
    } catch (error) {
      if (error instanceof ReceiptVerificationError) return error;
      throw error;
    }
  }

  #parse(receipt: string): ParsedReceipt {
    const [, header = '', payload = '', signature = ''] = COMPACT.exec(receipt) ?? [];
    if (header === '') throw new ReceiptVerificationError('It is no compact JWS.');
    return {
      kid: this.#kidOf(header),
      signed: ENCODER.encode(`${header}.${payload}`),
      signature: decoded(signature),
      content: DECODER.decode(decoded(payload)),
    };
  }

  #kidOf(header: string): string {
    const known = this.#headers.get(header);
    if (known !== undefined) return known;
    const { alg, kid, crit, typ } = headerOf(header);
    const isReceipt = alg === 'EdDSA' && typ === 'receipt+jws' && crit === undefined;
    if (!isReceipt || typeof kid !== 'string') {
      throw new ReceiptVerificationError('It is not signed as receipts are.');
    }
    if (this.#keys.has(kid)) this.#headers.set(header, kid);
    return kid;
  }
}

/** The content of a receipt that one of the keys has signed. Throws ReceiptVerificationError. */
export function verifyReceipt(receipt: string, keys: ReceiptKeySet): Promise<Receipt> {
  return new ReceiptVerifier(keys).verify(receipt);
}

/** One after the other, however many ask for the next. */
async function* eachOf(
  receipts: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void> {
  yield* receipts;
}

function headerOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(DECODER.decode(bytesOf(text))) as Record<string, unknown>;
  } catch {
    throw new ReceiptVerificationError('It is no compact JWS.');
  }
}

async function checkWithWebCrypto(x: string): Promise<SignatureCheck> {
  const key = await crypto.subtle.importKey('raw', bytesOf(x), 'Ed25519', false, ['verify']);
  return (signature, signed) => crypto.subtle.verify('Ed25519', key, signature, signed);
}

/** Of a part of a receipt. Throws ReceiptVerificationError. */
function decoded(text: string): Uint8Array<ArrayBuffer> {
  try {
    return bytesOf(text);
  } catch {
    throw new ReceiptVerificationError('It is no compact JWS.');
  }
}

/** Of base64url. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  // A loop: `Uint8Array.from` takes ten times as long.
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
