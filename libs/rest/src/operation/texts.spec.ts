import { BUYER, SELLER } from '../../../../test/setup/invoicing-stage.js';
import { idOf, type Answered } from '../../../../test/setup/admin-stage.js';
import { adminStage } from '../../../../test/setup/stages.js';
import { RateCard } from '../rate-cards/rate-card.schemas.js';
import { exampleOf } from './examples.js';

const stage = adminStage();
let id: string;

beforeAll(async () => {
  await stage.ask('PUT', '/admin/v1/seller', { body: seller({}) });
  id = await stage.account();
});

type Method = 'POST' | 'PUT' | 'PATCH';
type Row = readonly [method: Method, path: string, pointer: string, body: (text: string) => object];

const [RULE] = exampleOf(RateCard).rules;
const seller = (members: object) => ({ ...SELLER, tax_currency: 'EUR', ...members });
const buyer = (members: object) => ({ ...BUYER, ...members });
const at = (members: object) => ({ address: { ...SELLER.address, ...members } });
const SELLER_PATH = '/seller';
const BILLING = '/accounts/{id}/billing';

/** Texts that people read, and where each stands in a body. */
const TEXTS: readonly Row[] = [
  ['POST', '/accounts', '/name', (name) => ({ name })],
  ['POST', '/accounts', '/metadata/crm', (crm) => ({ name: 'A', metadata: { crm } })],
  ['PATCH', '/accounts/{id}', '/name', (name) => ({ name })],
  ['PATCH', '/accounts/{id}', '/metadata/crm', (crm) => ({ metadata: { crm } })],
  ['PATCH', '/accounts/{id}', '/reason', (reason) => ({ receipts: true, reason })],
  ['POST', '/accounts/{id}/api-keys', '/label', (label) => ({ label })],
  ['POST', '/accounts/{id}/grants', '/note', (note) => ({ credits: 1, kind: 'promotional', note })],
  ['POST', '/accounts/{id}/adjustments', '/reason', (reason) => ({ credits: 1, reason })],
  ['POST', '/admin-tokens', '/name', (name) => ({ name, role: 'billing' })],
  [
    'POST',
    '/webhooks',
    '/description',
    (description) => ({ url: 'https://a.example', description }),
  ],
  ['PUT', '/exchange-rates/USD/2026-11-24', '/source', (source) => ({ rate: '1.1', source })],
  ['PUT', SELLER_PATH, '/name', (name) => seller({ name })],
  ['PUT', SELLER_PATH, '/address/line1', (line1) => seller(at({ line1 }))],
  ['PUT', SELLER_PATH, '/address/line2', (line2) => seller(at({ line2 }))],
  ['PUT', SELLER_PATH, '/address/city', (city) => seller(at({ city }))],
  ['PUT', SELLER_PATH, '/address/region', (region) => seller(at({ region }))],
  ['PUT', SELLER_PATH, '/remittance', (remittance) => seller({ remittance })],
  ['PUT', SELLER_PATH, '/contact/name', (name) => seller({ contact: { name } })],
  ['PUT', BILLING, '/name', (name) => buyer({ name })],
  ['PUT', BILLING, '/contact/name', (name) => buyer({ contact: { name } })],
  [
    'POST',
    '/rate-cards',
    '/rules/0/name',
    (name) => ({ effective_window: null, call_cost: 1, rules: [{ ...RULE, match: {}, name }] }),
  ],
];

/** Texts that programs compare. */
const CODES: readonly Row[] = [
  ['PATCH', '/accounts/{id}', '/external_id', (external_id) => ({ external_id })],
  ['POST', '/accounts/{id}/payments', '/reference', (reference) => ({ amount: 1, reference })],
  ['PUT', SELLER_PATH, '/registration_id', (text) => seller({ registration_id: text })],
  ['PUT', SELLER_PATH, '/address/postcode', (postcode) => seller(at({ postcode }))],
  ['PUT', SELLER_PATH, '/contact/phone', (phone) => seller({ contact: { phone } })],
  ['PUT', SELLER_PATH, '/endpoint/id', (of) => seller({ endpoint: { scheme: '0204', id: of } })],
  ['PUT', BILLING, '/buyer_reference', (text) => buyer({ buyer_reference: text })],
  ['PUT', BILLING, '/purchase_order', (text) => buyer({ purchase_order: text })],
];

function ask([method, path, , body]: Row, text: string): Promise<Answered> {
  const url = `/admin/v1${path.replace('{id}', id)}`;
  return stage.ask(method, url, { body: body(text) });
}

function pointersOf({ json }: Answered): unknown {
  return (json['errors'] as { pointer: string }[] | undefined)?.map(({ pointer }) => pointer);
}

const named = (rows: readonly Row[]) =>
  rows.map((row) => [`${row[0]} ${row[1]}`, row[2], row] as const);

describe.each(named([...TEXTS, ...CODES]))('%s: %s', (_what, pointer, row) => {
  it.each(['\u200b', '\u2060', '\u3164', '\u2800', '\u00ad', '\ufeff', '\ufe0f', '\u{e0041}', ' '])(
    'is refused where it shows nothing: %j',
    async (text) => {
      const refused = await ask(row, text);
      expect(refused.status).toBe(400);
      expect(new Set(pointersOf(refused) as string[])).toEqual(new Set([pointer]));
    },
  );

  it('is kept without blanks at its ends', async () => {
    const answer = await ask(row, ' \u00a0X 7\u3000 ');
    expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
    expect(answer.text).not.toMatch(/"[\s\u00a0]+X 7|X 7[\s\u3000]+"/);
  });
});

it.each(named(CODES))('%s: %s holds nothing that nobody sees', async (_what, pointer, row) => {
  const refused = await ask(row, 'X\u200b7');
  expect([refused.status, pointersOf(refused)]).toEqual([400, [pointer]]);
});

it('identifiers that are checked are kept without blanks, too', async () => {
  const body = seller({
    vat_id: ' ATU12345675 ',
    bic: 'bkauatww ',
    iban: 'AT61\u00a01904 3002 3457 3201 ',
  });
  const { json } = await stage.ask('PUT', '/admin/v1/seller', { body });
  expect(json).toMatchObject({
    vat_id: 'ATU12345675',
    bic: 'BKAUATWW',
    iban: 'AT611904300234573201',
  });
});

it('one external id is one, whatever blanks stand around it', async () => {
  idOf(await stage.post('/accounts', { name: 'A', external_id: 'crm-4711 ' }));
  const again = await stage.post('/accounts', { name: 'B', external_id: ' crm-4711' });
  expect(again.status).toBe(409);
  const found = await stage.get(`/accounts?external_id=${encodeURIComponent('crm-4711 ')}`);
  expect(found.json['items']).toMatchObject([{ external_id: 'crm-4711' }]);
});
