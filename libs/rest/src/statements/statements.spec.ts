import { parse } from 'csv-parse/sync';
import { adminStage } from '../../../../test/setup/stages.js';
import { invoiced } from '../../../../test/setup/invoicing-stage.js';

const stage = adminStage();

test('a closed month is shown with the head that its invoice names', async () => {
  const { id, number } = await invoiced(stage);
  const { json } = await stage.get(`/accounts/${id}/statements/2026-11`);
  expect(json).toMatchObject({
    type: 'statement',
    account_id: id,
    month: '2026-11',
    period: { from: '2026-11-01', to: '2026-11-30' },
    opening_balance: 0,
    grants: [{ kind: 'included', credits: 1_000 }],
    charges: [{ day: '2026-11-24', calls: 3, credits: 50_045 }],
    billed_credits: 49_045,
    closing_balance: 0,
    final: true,
  });
  const invoice = (await stage.get(`/invoices/${number}`)).json;
  expect(json['account_head']).toBe(invoice['account_head']);
  expect(json['account_version']).toEqual(invoice['account_version']);
  const december = (await stage.get(`/accounts/${id}/statements/2026-12`)).json;
  expect(december).toMatchObject({ final: false, grants: [{ credits: 1_000 }] });
});

test('as CSV its credits add up to the closing balance in the last row', async () => {
  const { id } = await invoiced(stage);
  await stage.post(`/accounts/${id}/adjustments`, { credits: -5, reason: '=cmd()' });
  const path = `/accounts/${id}/statements/2026-12`;
  const { text } = await stage.get(path, { accept: 'text/csv' });
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  const closing = rows.pop();
  const sum = rows.reduce((credits, row) => credits + Number(row['credits']), 0);
  expect([closing?.['type'], Number(closing?.['credits'])]).toEqual(['closing', sum]);
  expect(rows.find(({ type }) => type === 'adjustment')).toMatchObject({ reason: "'=cmd()" });
});

test('all faults are reported at once, and a missing month is not found', async () => {
  const wrong = await stage.get('/accounts/nobody/statements/2026-00?month=1');
  const parameters = wrong.json['parameters'] as { name: string }[];
  expect([wrong.status, parameters.map(({ name }) => name)]).toEqual([
    400,
    ['account_id', 'month', 'month'],
  ]);
  const { id } = await invoiced(stage);
  const status = async (path: string) => (await stage.get(path)).status;
  expect(await status(`/accounts/${id}/statements/2026-10`)).toBe(404);
  expect(await status(`/accounts/${id}/statements/2027-01`)).toBe(404);
  const strangers = [
    '0197c000-0000-7000-8000-00000000ffff',
    '00000000-0000-0000-0000-000000000000',
  ];
  for (const stranger of strangers) {
    expect(await status(`/accounts/${stranger}/statements/2026-11`)).toBe(404);
  }
});
