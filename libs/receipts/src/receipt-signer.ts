import type { Clock } from '#calendar/clock.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { WorkerLoop } from '#event-log/worker-loop.js';
import type { FoundCall } from '#projections/chain/call-places.js';
import { loadEd25519, type Signs } from './ed25519.js';
import type { PrivateKeys } from './private-keys.js';
import { receiptText } from './receipt.js';
import { RECEIPT_KEYS, signingKey, type ReceiptKey } from './receipt-key-events.js';

const POLL_MS = 10_000;
const RETRY_FIRST_MS = 1_000;

export interface ReceiptSignerParts {
  readonly system: Pick<SystemStream, 'read'>;
  readonly privateKeys: Pick<PrivateKeys, 'find' | 'keepOnly'>;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}

interface Signing {
  readonly kid: string;
  readonly sign: Signs;
  /** The header of a JWS with the dot behind it. */
  readonly begins: string;
}

/** Signs receipts with the present key, and takes the next one when it is due. */
export class ReceiptSigner {
  private readonly loop: WorkerLoop;
  private known: readonly ReceiptKey[] = [];
  private signing: Signing | undefined;

  constructor(
    private readonly parts: ReceiptSignerParts,
    private readonly load = loadEd25519,
  ) {
    this.loop = new WorkerLoop({
      turn: async () => {
        await this.refresh();
        return 0;
      },
      onFault: parts.onFault,
      pollMs: POLL_MS,
      retryFirstMs: RETRY_FIRST_MS,
      retryMostMs: POLL_MS,
    });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** All keys, as of the last look. */
  get keys(): readonly ReceiptKey[] {
    return this.known;
  }

  /** Looks for keys. Throws where the log or the rows are away. */
  async refresh(): Promise<void> {
    const { system, privateKeys, clock } = this.parts;
    this.known = await system.read(RECEIPT_KEYS);
    const present = signingKey(this.known, clock.now());
    if (present === undefined || present.kid === this.signing?.kid) return;
    const key = await privateKeys.find(present.kid);
    // With the one before nobody signs any more: another process may have replaced it for good.
    this.signing = key && {
      kid: present.kid,
      sign: (await this.load()).signs(key),
      begins: headerOf(present.kid),
    };
    if (key === undefined) throw new Error(`Nobody here can sign with the key ${present.kid}.`);
    await privateKeys.keepOnly(this.known.slice(this.known.indexOf(present)).map(({ kid }) => kid));
  }

  /** The receipt of a call: a compact JWS (RFC 7515, 8037). Undefined: there is no key. */
  sign(call: FoundCall): string | undefined {
    const { signing } = this;
    if (signing === undefined) return undefined;
    const signed = signing.begins + Buffer.from(receiptText(call)).toString('base64url');
    return `${signed}.${signing.sign(Buffer.from(signed)).toString('base64url')}`;
  }
}

function headerOf(kid: string): string {
  const header = JSON.stringify({ alg: 'EdDSA', kid, typ: 'receipt+jws' });
  return `${Buffer.from(header).toString('base64url')}.`;
}
