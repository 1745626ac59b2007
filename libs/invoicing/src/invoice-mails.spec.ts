import type pg from 'pg';
import { MailServer, type TakenMail } from '#deliveries/mail-server.suite.js';
import { openDeliveries, type Deliveries } from '#deliveries/deliveries.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { openDatabase } from '#database/database.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { AdminStage, idOf, itemsOf } from '../../../test/setup/admin-stage.js';
import { ADMIN_TOKEN } from '../../../test/setup/stage-settings.js';
import {
  BUYER,
  customer,
  invoiced,
  moveClock,
  SELLER,
} from '../../../test/setup/invoicing-stage.js';

const FROM = 'Popindex <billing@example.com>';

let mails: MailServer;
let stage: AdminStage;

beforeEach(async () => {
  mails = await MailServer.start();
  stage = await AdminStage.open(undefined, { smtpUrl: mails.url, from: FROM });
});

afterEach(async () => {
  await stage.deliveries.worker.stop(1_000);
  await stage.close();
  await mails.close();
  expect(stage.errors).toEqual([]);
});

async function taken(count: number): Promise<readonly TakenMail[]> {
  await waitFor(`${count} mails`, () => mails.taken.length >= count);
  return mails.taken;
}

/** Files of a mail by name, and its texts. */
function partsOf(source = ''): ReadonlyMap<string, Buffer> {
  const parts = source.split(/\r\n--[^\r\n]+/).map((part) => part.split('\r\n\r\n'));
  return new Map(
    parts.flatMap(([head = '', ...body]) => {
      const name = /filename="?([^"\r\n]+)/.exec(head)?.[1] ?? /text\/\w+/.exec(head)?.[0];
      if (name === undefined) return [];
      const isBase64 = /base64/.test(head);
      const text = body.join('\r\n\r\n');
      const plain = text
        .replaceAll(/=\r\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        );
      return [[name, isBase64 ? Buffer.from(text, 'base64') : Buffer.from(plain, 'latin1')]];
    }),
  );
}

async function emailsOf(id: string) {
  return itemsOf(await stage.get(`/accounts/${id}/emails`));
}

it('an invoice goes to the billing address with its PDF and XML, and once', async () => {
  const { id, number } = await invoiced(stage);
  stage.deliveries.worker.start();
  const [mail] = await taken(1);
  expect(mail?.to).toEqual([BUYER.email]);
  expect(mail?.source).toContain(`Subject: Invoice ${number} from Index GmbH`);
  expect(mail?.source).toContain(`Reply-To: ${SELLER.email}`);
  const parts = partsOf(mail?.source);
  for (const format of ['pdf', 'xml']) {
    const { bytes } = await stage.get(`/invoices/${number}.${format}`);
    expect(parts.get(`${number}.${format}`)?.equals(bytes)).toBe(true);
  }
  expect(parts.get('text/plain')?.toString()).toContain('€787.85 by 15 December 2026');
  expect(parts.get('text/html')?.toString()).toContain('<html lang="en">');
  await waitFor('the record', async () => (await emailsOf(id))[0]?.['status'] === 'delivered');
  expect(await emailsOf(id)).toMatchObject([
    { channel: 'email', type: 'invoice.issued', number, email: BUYER.email, status: 'delivered' },
  ]);
});

it('a credit note goes there too, in the language of the account', async () => {
  const { id, number } = await invoiced(stage);
  const body = { ...BUYER, language: 'de' };
  await stage.pool.query(
    `update profile set body = jsonb_set(body::jsonb, '{buyer}', $1::jsonb)::json
      where body -> 'buyer' is not null`,
    [JSON.stringify(body)],
  );
  const note = await stage.post(`/invoices/${number}/void`, { reason: 'Agreed.' });
  stage.deliveries.worker.start();
  const sources = (await taken(2)).map(({ source }) => source);
  const credit = sources.find((source) => source.includes(`${String(note.json['number'])}.pdf`));
  expect(credit).toContain('Content-Language: de');
  expect(credit).toContain('Subject: Rechnungskorrektur');
  expect(await emailsOf(id)).toHaveLength(2);
});

it('an address that was wrong is corrected, and the invoice sent again by an operator', async () => {
  mails.refused.set(BUYER.email, 550);
  const { id } = await invoiced(stage);
  stage.deliveries.worker.start();
  await waitFor('the refusal', async () => (await emailsOf(id))[0]?.['status'] === 'failed');
  const path = `/admin/v1/accounts/${id}/billing`;
  await stage.ask('PUT', path, { body: { ...BUYER, email: 'right@nails.example' } });
  const [mail] = await emailsOf(id);
  const sent = await stage.post(`/webhooks/deliveries/${String(mail?.['id'])}/resend`);
  expect(sent.json).toMatchObject({ status: 'delivered', email: 'right@nails.example' });
  expect(mails.taken.map(({ to }) => to)).toEqual([['right@nails.example']]);
  await moveClock(stage, id, '2026-12-02T00:00:00Z');
  expect(await emailsOf(id)).toHaveLength(1);
});

it('without a mail server nothing is planned', async () => {
  const bare = await AdminStage.open();
  const { id } = await invoiced(bare);
  bare.deliveries.worker.start();
  await waitFor('the plan', async () => {
    const { rowCount } = await bare.pool.query('select from delivery_cursor where lane = 0');
    return rowCount === 1;
  });
  await bare.deliveries.worker.stop(1_000);
  expect(itemsOf(await bare.get(`/accounts/${id}/emails`))).toEqual([]);
  await bare.close();
});

class Fallen extends Error {}

/** A pool whose process falls once at a statement, before or after it. */
function falling(pool: pg.Pool, step: string, isAfter: boolean): pg.Pool {
  let hasFallen = false;
  const wrap = <Target extends object>(of: Target): Target =>
    new Proxy(of, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return async (...asked: unknown[]): Promise<unknown> => {
          const call = () => Reflect.apply(value, target, asked) as unknown;
          if (name === 'connect') return wrap((await call()) as object);
          const isStep = (asked[0] as { name?: string } | undefined)?.name === step;
          if (name !== 'query' || !isStep || hasFallen) return call();
          hasFallen = true;
          if (isAfter) await call();
          throw new Fallen(step);
        };
      },
    });
  return wrap(pool);
}

function another(pool: pg.Pool): Deliveries {
  return openDeliveries({
    pool,
    log: stage.log,
    system: stage.stream,
    loader: new AccountLoader(stage.pool),
    clock: { now: () => Date.now() },
    settings: {
      baseUrl: 'https://api.example.com',
      portalUrl: 'https://portal.example.com',
      mail: { smtpUrl: mails.url, from: FROM },
      allowPrivate: true,
      secret: ADMIN_TOKEN,
    },
    onFault: () => undefined,
    onNoMailServer: () => undefined,
  });
}

it.each([
  ['fan-out-insert', false],
  ['fan-out-insert', true],
  ['fan-out-pass', false],
  ['fan-out-pass', true],
  ['delivery-claim', true],
  ['delivery-record', false],
] as const)(
  'a process that falls at %s (after it: %s) leaves one delivery, and one mail or the same again',
  async (step, isAfter) => {
    const { id } = await invoiced(stage);
    const pool = openDatabase({ url: stage.url, applicationName: 'falling' });
    const fallen = another(falling(pool, step, isAfter));
    fallen.worker.start();
    stage.deliveries.worker.start();
    const isThere = async () => (await emailsOf(id)).some(({ status }) => status === 'delivered');
    await waitFor('claims to end', async () => {
      await stage.pool.query('update delivery set claimed_until = now() where status = $1', [
        'pending',
      ]);
      return isThere();
    });
    await fallen.worker.stop(1_000);
    await pool.end();
    expect(await emailsOf(id)).toHaveLength(1);
    const ids = mails.taken.map(({ source }) => /Message-ID: (\S+)/i.exec(source)?.[1]);
    expect(new Set(ids).size).toBe(1);
  },
);

it('an order goes to the seller, and why it was declined to the billing address', async () => {
  const id = await customer(stage, { test_clock: undefined, plan: null });
  const pack = { name: 'Starter', credits: 1_000, price: 9_900, currency: 'EUR' };
  const body = { ...SELLER, packages: [pack], orders: 'approve' };
  await stage.ask('PUT', '/admin/v1/seller', { body });
  stage.deliveries.worker.start();
  const asked = { package: 'Starter', credits: 1_000, price: 9_900 };
  const order = idOf(await stage.post(`/accounts/${id}/orders`, asked));
  const [ordered] = await taken(1);
  expect(ordered?.to).toEqual([SELLER.email]);
  const text = partsOf(ordered?.source).get('text/plain')?.toString();
  expect(text).toContain('Price before tax: €99.00');
  await stage.post(`/accounts/${id}/orders/${order}/decline`, { reason: 'Overdue: INV-000001.' });
  const [, declined] = await taken(2);
  expect(declined?.to).toEqual([BUYER.email]);
  expect(partsOf(declined?.source).get('text/plain')?.toString()).toContain('Overdue: INV-000001.');
});
