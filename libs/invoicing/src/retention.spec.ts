import { terms } from '#account/scenario.suite.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { itemsOf } from '../../../test/setup/admin-stage.js';
import { adminStage } from '../../../test/setup/stages.js';
import { BUYER, invoiced, SELLER } from '../../../test/setup/invoicing-stage.js';
import { Retention } from './retention.js';

const YEARS = 10;
/** The last moment at which a document of December 2026 keeps its parties. */
const LAST_MOMENT = Date.parse('2036-12-31T12:00:00Z');
const NEXT_DAY = Date.parse('2037-01-01T12:00:00Z');

const stage = adminStage();
let number: string;
let account: string;

beforeAll(async () => {
  await stage.ask('PUT', '/admin/v1/seller', { body: SELLER });
  ({ id: account, number } = await invoiced(stage));
  await stage.post(`/invoices/${number}/void`, { reason: 'Agreed.' });
  await waitFor('the projection', async () => {
    const { rows } = await stage.pool.query('select from invoice_number');
    return rows.length === 2;
  });
});

function retention(system: Retention['parts']['system'] = stage.stream): Retention {
  return new Retention({ pool: stage.pool, system, calendar: terms.calendar, years: YEARS });
}

async function isIntact(): Promise<unknown> {
  await stage.post('/verify');
  await waitFor(
    'the verification',
    () => stage.logTools.verifications.state()?.state !== 'running',
    60_000,
  );
  return (await stage.get('/verify')).json['intact'];
}

async function bodiesWith(text: string): Promise<number> {
  const { rows } = await stage.pool.query<{ count: number }>(
    `select count(*) as count from document
      where body::text like '%' || encode($1::bytea, 'hex') || '%'
         or left_over::text like '%' || encode($1::bytea, 'hex') || '%'`,
    [text],
  );
  return rows[0]?.count ?? 0;
}

async function entries(): Promise<Record<string, unknown>[]> {
  const all = itemsOf(await stage.get('/audit?limit=1000'));
  return all.filter(({ type }) => type === 'DocumentsRedacted');
}

describe('the parties of documents', () => {
  it('stay to the end of the last year of the term', async () => {
    expect(await retention().run(LAST_MOMENT)).toBe(0);
    const { json } = await stage.get(`/invoices/${number}`);
    expect(json).toMatchObject({ seller: { name: SELLER.name } });
    expect((await stage.get(`/invoices/${number}.pdf`)).status).toBe(200);
  });

  it('stay where their removal cannot be recorded in the log', async () => {
    const away = { appendOnce: () => Promise.reject(new Error('The log is away.')) };
    await expect(retention(away).run(NEXT_DAY)).rejects.toThrow('away');
    expect((await stage.get(`/invoices/${number}.pdf`)).status).toBe(200);
    expect(await isIntact()).toBe(true);
  }, 90_000);

  it('are removed afterwards by one of all who try, and the audit says of which', async () => {
    await Promise.all([retention().run(NEXT_DAY), retention().run(NEXT_DAY)]);
    await retention().run(NEXT_DAY);
    expect(await entries()).toMatchObject([
      {
        by: 'system',
        data: { documents: 2, first: number, issued_before: '2027-01-01', years: 10 },
      },
    ]);
    expect([await bodiesWith(SELLER.name), await bodiesWith('Nails & Co')]).toEqual([0, 0]);
  });

  it('are not served any more: JSON and CSV are without them, PDF and XML are gone', async () => {
    const json = await stage.get(`/invoices/${number}`);
    expect(json.json).toMatchObject({ number, seller: {}, buyer: { name: '' } });
    const csv = await stage.get(`/invoices/${number}.csv`);
    expect([csv.status, csv.text.includes(number)]).toEqual([200, true]);
    for (const format of ['pdf', 'xml', 'cii.xml']) {
      const { status, json: refused } = await stage.get(`/invoices/${number}.${format}`);
      expect([status, refused['code']]).toEqual([410, 'gone']);
    }
    const texts = `${json.text}${csv.text}`;
    expect([texts.includes(SELLER.name), texts.includes(BUYER.name)]).toEqual([false, false]);
  });

  it('are missed neither by exports nor by a verification', async () => {
    const month = 'month=2026-11&test=true';
    const csv = await stage.get(`/exports/invoices?${month}`);
    expect(csv.text).toContain(number);
    const zip = await stage.get(`/exports/invoices?${month}&format=zip`);
    expect([zip.status, zip.bytes.includes(`${number}.json`)]).toEqual([200, true]);
    expect(zip.bytes.includes(`${number}.pdf`)).toBe(false);
    expect(await isIntact()).toBe(true);
    expect((await stage.get(`/accounts/${account}`)).status).toBe(200);
  }, 90_000);

  it('are no pretext: a row that the event does not vouch for is found', async () => {
    await stage.pool.query(
      `update document set body = 'x', redacted_sha256 = sha256('x')
        where sha256 = (select sha256 from document where redaction is not null limit 1)`,
    );
    expect(await isIntact()).toBe(false);
  }, 90_000);
});
