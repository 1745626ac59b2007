import { setImmediate as turn } from 'node:timers/promises';
import { ReceiptVerifier } from '#client/receipts.js';
import { loadEd25519, OPENSSL, type Ed25519 } from '#receipts/ed25519.js';
import { newKeyPair, publicJwk } from '#receipts/key-pair.js';
import { ReceiptSigner } from '#receipts/receipt-signer.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import type { Stage } from './stage.js';

const RECEIPTS = 20_000;
const AT = Date.parse('2026-11-24T12:00:00Z');
const PAIR = newKeyPair();
const JWK = JSON.parse(PAIR.privateKey) as { readonly x: string };
const KEYS = { keys: [publicJwk(PAIR.kid, JWK.x)] };

async function signerBy(ed25519: Ed25519): Promise<ReceiptSigner> {
  const key = { kid: PAIR.kid, publicKey: PAIR.publicKey, signsFrom: 0 };
  const signer = new ReceiptSigner(
    {
      system: { read: async () => [key] as never },
      privateKeys: { find: async () => JWK, keepOnly: async () => undefined },
      clock: { now: () => AT },
      onFault: () => undefined,
    },
    async () => ed25519,
  );
  await signer.refresh();
  return signer;
}

function receiptOf(signer: ReceiptSigner, n: number): string {
  const callId = `0197c2aa-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const call = {
    key: '/v1/2026w48/cat1/trends/top5/popindex/us/beauty',
    release: '2026w48',
    api_key: 1,
    rows: 5,
    kind: 'base',
    cost: [10, 25],
    card: 1,
    rule: 'top5',
    draws: [[1, 35]],
    balance: 5_000_000 - n,
  } as const;
  const receipt = signer.sign({
    accountId: '00000000-0000-4000-8000-000000000001',
    charged: { callId, at: AT, call },
    place: { version: n, head: 'ab'.repeat(32) },
  });
  if (receipt === undefined) throw new Error('Nobody signs.');
  return receipt;
}

async function processorOf(work: () => void | Promise<unknown>): Promise<number> {
  await turn();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / RECEIPTS;
}

async function run({ options, report }: Stage): Promise<readonly Series[]> {
  const figures = new Measurements();
  const libraries = [['libsodium', await loadEd25519()] as const, ['OpenSSL', OPENSSL] as const];
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const [name, ed25519] of libraries) {
      const signer = await signerBy(ed25519);
      const receipts: string[] = [];
      const signed = await processorOf(() => {
        for (let n = 0; n < RECEIPTS; n += 1) receipts.push(receiptOf(signer, n));
      });
      const verifier = new ReceiptVerifier(KEYS, async (x) => ed25519.checks(x));
      const verified = await processorOf(async () => {
        const { failed } = await verifier.verifyAll(receipts);
        if (failed > 0) throw new Error(`${failed} receipts do not hold.`);
      });
      report(`${name}: ${signed.toFixed(1)} µs to sign, ${verified.toFixed(1)} µs to verify`);
      // The first round compiles.
      if (round === 0) continue;
      const [sign, verify] = name === 'OpenSSL' ? [] : [{ atMost: 40 }, { atMost: 120 }];
      figures.add(`a receipt signed by ${name}, processor`, 'µs', signed, sign);
      figures.add(`a receipt verified by ${name}, processor`, 'µs', verified, verify);
    }
  }
  return figures.series();
}

/** Processor time is what counts: many calls are signed beside each other. */
export const receiptsBenchmark: Benchmark = {
  name: 'receipts',
  about: 'Signing receipts and checking them, by libsodium and by OpenSSL',
  run,
};
