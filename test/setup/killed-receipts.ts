import { ReceiptVerifier, type Receipt, type ReceiptKeySet } from '#client/receipts.js';
import { openDatabase } from '#database/database.js';
import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import type { CallMade } from '#account/calls.js';
import type { Answer, Customer } from './service.js';

/** So many are asked for again: each is worked out from the log. */
const ASKED_AGAIN = 100;
const PAGE = 1_000;

/** The content of a receipt, as the log has it. */
type Logged = Pick<
  Receipt,
  'key' | 'credits_used' | 'balance' | 'account_version' | 'account_head'
>;

/** The content of each receipt that was handed out. Throws where one is not what it should be. */
export async function checkReceipts(
  handedOut: readonly string[],
  customer: Customer,
  databaseUrl: string,
): Promise<readonly Receipt[]> {
  const keys = (await customer.get('/.well-known/jwks.json')).body as unknown as ReceiptKeySet;
  const verifier = new ReceiptVerifier(keys);
  const receipts = await Promise.all(handedOut.map((receipt) => verifier.verify(receipt)));
  const logged = await readCalls(databaseUrl, customer.accountId);
  for (const receipt of receipts) {
    expect(receipt).toMatchObject({
      account_id: customer.accountId,
      ...(logged.get(receipt.call_id) ?? { call_id: 'in the log' }),
    });
  }
  const step = Math.ceil(receipts.length / ASKED_AGAIN);
  for (const receipt of receipts.filter((_, n) => n % step === 0)) {
    const again: Answer = await customer.get(`/v1/calls/${receipt.call_id}/receipt`);
    expect(await verifier.verify(String(again.body['receipt']))).toEqual(receipt);
  }
  return receipts;
}

/** All calls of an account by id, with the heads that its events lead to. */
async function readCalls(url: string, accountId: string): Promise<Map<string, Logged>> {
  const pool = openDatabase({ url, applicationName: 'killed-receipts' });
  try {
    const log = new PostgresEventLog(pool);
    const calls = new Map<string, Logged>();
    let head = FIRST_HEAD;
    for (let version = 0; ;) {
      const events = await log.readAccount(accountId, version, PAGE);
      if (events.length === 0) return calls;
      for (const event of events) {
        head = hashEvent(head, event);
        version = event.accountVersion;
        if (event.type !== 'CallMade') continue;
        const { key, cost, balance } = JSON.parse(event.data) as CallMade;
        calls.set(event.callId ?? '', {
          key,
          credits_used: cost[0] + cost[1],
          balance,
          account_version: version,
          account_head: head,
        });
      }
    }
  } finally {
    await pool.end();
  }
}
