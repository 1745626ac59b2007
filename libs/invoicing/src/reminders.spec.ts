import { MailServer } from '#deliveries/mail-server.suite.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { AdminStage, itemsOf } from '../../../test/setup/admin-stage.js';
import { Fallen, FallingProcesses } from './falling-processes.suite.js';
import {
  invoiced,
  moveClock,
  NO_TAX,
  completeParties,
  SELLER,
} from '../../../test/setup/invoicing-stage.js';

const DAYS = [3, 14, 30];
const FROM = 'Popindex <billing@example.com>';

/** Due on 15 December. */
const DUE = '2026-12-15';

function dayAfter(days: number): string {
  return `${new Date(Date.parse(DUE) + days * 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`;
}

async function sellerReminds(stage: AdminStage, days: readonly number[]): Promise<void> {
  const body = { ...SELLER, reminder_days: days };
  const { status, text } = await stage.ask('PUT', '/admin/v1/seller', { body });
  if (status !== 200) throw new Error(text);
}

async function remindersOf(stage: AdminStage, number: string) {
  const { json } = await stage.get(`/invoices/${number}`);
  const { sent, stopped } = json['reminders'] as { sent: { days: number }[]; stopped: boolean };
  return { days: sent.map((one) => one.days), stopped };
}

describe('reminders of an account with a test clock', () => {
  let stage: AdminStage;
  let mails: MailServer;

  beforeAll(async () => {
    mails = await MailServer.start();
    stage = await AdminStage.open(undefined, { smtpUrl: mails.url, from: FROM });
    await sellerReminds(stage, [30, 3, 14, 3]);
    stage.deliveries.worker.start();
  });
  beforeEach(() => void (mails.taken.length = 0));
  afterAll(async () => {
    await stage.deliveries.worker.stop(1_000);
    await stage.close();
    await mails.close();
    expect(stage.errors).toEqual([]);
  });

  const reminders = () => mails.taken.filter(({ source }) => /^Subject: .*reminder/im.test(source));
  const at = (id: string, days: number) => moveClock(stage, id, dayAfter(days));
  const stop = (number: string, stopped: boolean) =>
    stage.ask('PUT', `/admin/v1/invoices/${number}/reminders`, {
      body: { stopped, reason: 'Agreed by phone.' },
    });

  it('are sent on each day that the seller has set, once, with the invoice', async () => {
    const { id, number } = await invoiced(stage);
    for (const days of [0, 2, 3, 4, 13, 14, 15, 29]) await at(id, days);
    expect(await remindersOf(stage, number)).toEqual({ days: [3, 14], stopped: false });
    await waitFor('two reminders', () => reminders().length === 2);
    // Both may be sent at once.
    const called = (subject: string) =>
      reminders().find(({ source }) => source.includes(`Subject: ${subject}: invoice ${number}`));
    const source = called('Second reminder')?.source ?? '';
    expect(source).toContain(`${number}.pdf`);
    expect(source).toContain(`Subject: Second reminder: invoice ${number} from Index GmbH`);
    await at(id, 300);
    await at(id, 300);
    expect((await remindersOf(stage, number)).days).toEqual(DAYS);
    expect(called('Reminder')?.source).toContain(`Subject: Reminder: invoice ${number}`);
    const sent = async () =>
      itemsOf(await stage.get(`/accounts/${id}/emails?limit=100`)).filter(
        (one) => one['type'] === 'invoice.reminder' && one['number'] === number,
      );
    await waitFor('the third is planned', async () => (await sent()).length > 2);
    expect(await sent()).toHaveLength(3);
    const last = `Subject: Last reminder: invoice ${number} from`;
    await waitFor('the last one', () => reminders().some((mail) => mail.source.includes(last)));
  });

  it('end with the payment, and are not sent where it comes before the e-mail', async () => {
    const { id, number } = await invoiced(stage);
    await at(id, 3);
    await stage.post(`/invoices/${number}/payments`, { amount: 78_785 });
    await at(id, 60);
    expect((await remindersOf(stage, number)).days).toEqual([3]);
  });

  it('go on where the payment bounces', async () => {
    const { id, number } = await invoiced(stage);
    await stage.post(`/invoices/${number}/payments`, { amount: 78_785 });
    await at(id, 3);
    expect((await remindersOf(stage, number)).days).toEqual([]);
    await stage.post(`/invoices/${number}/payments`, { amount: -100 });
    await at(id, 14);
    expect((await remindersOf(stage, number)).days).toEqual([14]);
  });

  it('are stopped by hand with a reason, which the audit has, and go on by hand', async () => {
    const { id, number } = await invoiced(stage);
    await at(id, 3);
    expect((await stop(number, true)).json).toMatchObject({ stopped: true, sent: [{ days: 3 }] });
    await at(id, 20);
    expect(await remindersOf(stage, number)).toEqual({ days: [3], stopped: true });
    const { text } = await stage.get(`/audit?account_id=${id}`);
    expect(text).toMatch(/RemindersSet.*Agreed by phone/s);
    expect((await stop(number, false)).json).toMatchObject({ stopped: false });
    await at(id, 29);
    expect((await remindersOf(stage, number)).days).toEqual([3, 14]);
  });

  it('are not stopped without a reason', async () => {
    const { number } = await invoiced(stage);
    const body = { stopped: true };
    const asked = await stage.ask('PUT', `/admin/v1/invoices/${number}/reminders`, { body });
    expect([asked.status, asked.json['code']]).toEqual([400, 'invalid-body']);
  });
});

it('a reminder that waits for the mail server is cancelled where the invoice is paid', async () => {
  const mails = await MailServer.start();
  const stage = await AdminStage.open(undefined, { smtpUrl: mails.url, from: FROM });
  await sellerReminds(stage, DAYS);
  const { id, number } = await invoiced(stage);
  await moveClock(stage, id, dayAfter(3));
  await stage.post(`/invoices/${number}/payments`, { amount: 78_785 });
  stage.deliveries.worker.start();
  const statuses = async () =>
    itemsOf(await stage.get(`/accounts/${id}/emails`)).map(({ type, status }) => [type, status]);
  await waitFor('both', async () => {
    return (await statuses()).filter(([, status]) => status !== 'pending').length === 2;
  });
  expect(await statuses()).toEqual([
    ['invoice.issued', 'delivered'],
    ['invoice.reminder', 'cancelled'],
  ]);
  await stage.deliveries.worker.stop(1_000);
  await stage.close();
  await mails.close();
});

describe('reminders in real time', () => {
  let processes: FallingProcesses;
  let stage: AdminStage;

  beforeEach(async () => {
    processes = await FallingProcesses.open();
    ({ stage } = processes);
  });
  afterEach(() => processes.close());

  /** A purchase, invoiced and overdue since some days. */
  async function overdue(days: number): Promise<{ id: string; number: string }> {
    const id = await stage.account({ currency: 'EUR' });
    await completeParties(stage, id, { tax: NO_TAX });
    await sellerReminds(stage, DAYS);
    const sold = { credits: 10, kind: 'purchased', price: 1_000 };
    const { json } = await stage.post(`/accounts/${id}/grants`, sold);
    const number = String(json['invoice_number']);
    const { json: invoice } = await stage.get(`/invoices/${number}`);
    stage.now = Date.parse(`${String(invoice['due_date'])}T12:00:00Z`) + days * 86_400_000;
    await processes.catchUp();
    return { id, number };
  }

  it('accounts are found as long as a reminder is due, and no longer', async () => {
    const { id, number } = await overdue(1);
    const { overdue: due } = processes.another();
    expect(await due.candidates()).toEqual([id]);
    expect(await due.report(id)).toBe(1);
    await processes.catchUp();
    expect(await due.candidates()).toEqual([]);
    stage.now += 2 * 86_400_000;
    expect(await due.candidates()).toEqual([id]);
    expect(await due.report(id)).toBe(1);
    await processes.catchUp();
    expect(await due.candidates()).toEqual([]);
    expect((await remindersOf(stage, number)).days).toEqual([3]);
    const body = { stopped: true, reason: 'Agreed.' };
    await stage.ask('PUT', `/admin/v1/invoices/${number}/reminders`, { body });
    stage.now += 30 * 86_400_000;
    await processes.catchUp();
    expect(await due.candidates()).toEqual([]);
  });

  it.each(['before sealing', 'after sealing'] as const)(
    'a process that falls %s leaves each reminder to happen once',
    async (step) => {
      const { id, number } = await overdue(3);
      await processes.another().overdue.report(id);
      stage.now += 11 * 86_400_000;
      await expect(processes.another(step).overdue.report(id)).rejects.toThrow(Fallen);
      const others = [1, 2, 3].map(() => processes.another().overdue.report(id));
      await Promise.all(others);
      expect((await remindersOf(stage, number)).days).toEqual([3, 14]);
      const { rows } = await stage.pool.query(`select from event where type = 'ReminderDue'`);
      expect(rows).toHaveLength(2);
    },
  );

  it('one that meets a payment is not recorded', async () => {
    const { id, number } = await overdue(3);
    await Promise.all([
      stage.post(`/invoices/${number}/payments`, { amount: 1_000 }),
      ...[1, 2].map(() => processes.another().overdue.report(id)),
    ]);
    const { json } = await stage.get(`/invoices/${number}`);
    expect(json['state']).toMatchObject({ status: 'paid' });
    const { rows } = await stage.pool.query<{ type: string }>(
      `select type from event where account_id = $1
         and type in ('PaymentRecorded', 'ReminderDue') order by account_version`,
      [id],
    );
    expect(rows.at(-1)?.type).toBe('PaymentRecorded');
  });
});
