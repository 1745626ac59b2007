import { idOf } from '../../../test/setup/admin-stage.js';
import { adminStage } from '../../../test/setup/stages.js';
import { customer, moveClock } from '../../../test/setup/invoicing-stage.js';

const stage = adminStage();
let id: string;
let number: string;

/** An account of 24 November, and an invoice of 10 January that is owed. */
beforeAll(async () => {
  id = await customer(stage, { plan: undefined });
  await moveClock(stage, id, '2027-01-10T09:00:00Z');
  const grant = { credits: 1_000, kind: 'purchased', price: 1_000 };
  number = String((await stage.post(`/accounts/${id}/grants`, grant)).json['invoice_number']);
  idOf(await stage.post(`/accounts/${id}/payments`, { amount: 1_010 }));
});

const OPENED = 'A date from 2026-11-24, when the account was opened, up to today, 2027-01-10.';
const BEGAN = 'A date from 2027-01-01, when its month began, up to today, 2027-01-10.';

const payment = () => [`/invoices/${number}/payments`, { amount: -1 }] as const;
const ofAccount = () => [`/accounts/${id}/payments`, { amount: 1 }] as const;
const applied = () =>
  [`/accounts/${id}/payments`, { amount: 1, apply: [{ number, amount: 1 }] }] as const;
const refund = () => [`/accounts/${id}/refunds`, { amount: 1 }] as const;
const writeOff = () => {
  const body = { number, amount: 1, reason: 'Bankrupt.' };
  return [`/accounts/${id}/write-offs`, body] as const;
};

const NAMING = [payment, applied, writeOff];
const OTHERS = [ofAccount, refund];
type Row = [what: string, of: () => readonly [string, object], date: string, detail: string];

it.each([
  ...NAMING.flatMap((of): Row[] => [
    [of.name, of, '1000-01-01', BEGAN],
    [of.name, of, '2026-12-31', BEGAN],
    [of.name, of, '2027-01-11', BEGAN],
  ]),
  ...OTHERS.flatMap((of): Row[] => [
    [of.name, of, '1000-01-01', OPENED],
    [of.name, of, '2026-11-23', OPENED],
    [of.name, of, '2027-01-11', OPENED],
  ]),
])('%s on a day out of range is refused', async (_what, of, date, detail) => {
  const [path, body] = of();
  const { status, json } = await stage.post(path, { ...body, date });
  expect([status, json['errors']]).toEqual([400, [{ pointer: '/date', detail }]]);
});

it('what is named is dated from its month on, and other money from the opening on', async () => {
  const stated = [
    [payment(), '2027-01-01'],
    [applied(), '2027-01-01'],
    [ofAccount(), '2026-11-24'],
    [refund(), '2026-11-24'],
  ] as const;
  for (const [[path, body], date] of stated) {
    const { status, json } = await stage.post(path, { ...body, date });
    expect([path, status, json['date']]).toEqual([path, 201, date]);
  }
});

it.each(['1000-01-01', '1989-12-31', '2201-01-01', '9999-12-31', '2026-02-30'])(
  'an exchange rate of %s is refused',
  async (date) => {
    const body = { rate: '1.1', source: 'ECB' };
    const { status } = await stage.ask('PUT', `/admin/v1/exchange-rates/USD/${date}`, { body });
    expect(status).toBe(400);
  },
);
