import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import { SystemChanges } from '#deciding/changes/system-changes.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { CallPlaces } from '#projections/chain/call-places.js';
import type { Foundations } from '#service/foundations.js';
import type { Shutdown } from '#web/shutdown.js';
import { PrivateKeys } from './private-keys.js';
import { ReceiptKeys } from './receipt-keys.js';
import { Receipts } from './receipts.js';
import { ReceiptSigner } from './receipt-signer.js';

/** The receipts of a process. */
export interface RunningReceipts {
  readonly keys: ReceiptKeys;
  readonly signer: ReceiptSigner;
  readonly receipts: Receipts;
}

export interface ReceiptsParts {
  readonly system: Pick<SystemStream, 'read' | 'append' | 'appendOnce'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** Encrypts the private halves of the keys, the same in every process. */
  readonly secret: string;
  readonly onFault: (error: unknown) => void;
}

/** The receipts of a process that follows no keys yet. */
export function openReceipts(parts: ReceiptsParts): RunningReceipts {
  const { system, pool, clock, secret, onFault } = parts;
  const privateKeys = new PrivateKeys(pool, secret);
  const signer = new ReceiptSigner({ system, privateKeys, clock, onFault });
  const changes = new SystemChanges(system, clock);
  const keys = new ReceiptKeys({ system, changes, privateKeys, clock });
  return { keys, signer, receipts: new Receipts(signer, new CallPlaces(pool)) };
}

/**
 * Follows the keys until the shutdown. `secret`: as in the parts. `ensures`: whether this process
 * makes a key where there is none to sign with. Calls are served also where nobody can sign.
 */
export async function startReceipts(
  { system, pool, clock, logger }: Pick<Foundations, 'system' | 'pool' | 'clock' | 'logger'>,
  { secret, ensures }: { readonly secret: string; readonly ensures: boolean },
  shutdown: Shutdown,
): Promise<RunningReceipts> {
  const onFault = (error: unknown): void => logger.warn({ err: error }, 'Receipts lack a key.');
  const receipts = openReceipts({ system, pool, clock, secret, onFault });
  if (ensures) await receipts.keys.ensure().catch(onFault);
  receipts.signer.start();
  shutdown.stop('the keys of receipts', () => receipts.signer.stop());
  return receipts;
}
