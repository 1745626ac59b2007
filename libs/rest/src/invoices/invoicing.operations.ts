import { CreditNotes } from '#invoicing/credit-notes.js';
import { Invoicing } from '#invoicing/invoicing.js';
import { Payments } from '#invoicing/payments.js';
import { Reminders } from '#invoicing/reminders.js';
import { created, ok } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_CHANGE, STAFF_READ } from '../operation/permissions.js';
import { CreditInvoice, ReceivePayment, RecordPayment, RecordRefund } from './invoice-requests.js';
import { RecordWriteOff, RunInvoices, SetReminders, VoidInvoice } from './invoice-requests.js';
import { CreditNote } from './invoice.schemas.js';
import { InvoiceRun } from './invoice-run.schemas.js';
import {
  AccountPayment,
  Payment,
  Refund,
  Reminders as RemindersSchema,
  WriteOff,
} from './payment.schemas.js';

const TAG = 'Invoices';
const ONE = '/invoices/{number}';

const runs = operationsOf<Invoicing>(TAG);
const notes = operationsOf<CreditNotes>(TAG);
const payments = operationsOf<Payments>(TAG);
const reminders = operationsOf<Reminders>(TAG);

const run = runs.change({
  id: 'runInvoices',
  method: 'post',
  path: '/invoice-runs',
  summary: 'Issues what is due of a month',
  description:
    'Invoices are issued by themselves once a month has ended; this does at once what is due, test ' +
    'accounts included. Running it twice issues nothing twice; a month that has ended for nobody is 409. ' +
    'One that takes long answers 202, goes on whatever falls, and can be asked after.',
  access: STAFF_CHANGE,
  body: RunInvoices,
  answer: ok(InvoiceRun, { mayGoOn: true }),
  location: ({ id }) => `/invoice-runs/${id}`,
  cli: {
    name: 'invoice run',
    description: 'issue what is due of a month at once',
    example: '2026-11',
    arguments: ['month'],
  },
  run: async ({ runs: all }, { change, body: { month, account_id: accountId } }) => {
    const made = await all.start(change, month, accountId);
    return made.view.status === 'ended' ? made : { ...made, status: 202 };
  },
});

const getRun = runs.read({
  id: 'getInvoiceRun',
  path: '/invoice-runs/{run_id}',
  summary: 'A run, as far as it is',
  description:
    'Shows how many accounts are done and what failed. A run goes on when its process stops: ' +
    'another process takes over.',
  access: STAFF_READ,
  answer: ok(InvoiceRun),
  cli: {
    name: 'invoice progress',
    description: 'how far a run is that takes long',
    example: '0198…',
  },
  run: async (invoicing, { path }) => ({ view: await invoicing.runs.read(path.run_id) }),
});

const voidInvoice = notes.change({
  id: 'voidInvoice',
  method: 'post',
  path: `${ONE}/void`,
  summary: 'Takes back all that is left of an invoice',
  description:
    'By a credit note. Credits that the invoice sold are taken back with it, which `credits_taken_back` ' +
    'states; 409 where some of them are used or have expired. With `keep_credits` the account keeps them ' +
    'as promotional credits (`credits_kept`), and nobody has paid for them. With `reissue` no credits ' +
    'move: the same lines are issued again at once, with the billing details and the tax as they are ' +
    'now, and `reissued_as` is the number of that invoice.',
  access: STAFF_CHANGE,
  body: VoidInvoice,
  isBodyOptional: true,
  answer: created(CreditNote),
  location: ({ number }) => `/credit-notes/${number}`,
  cli: {
    name: 'invoice void',
    description: 'take back all that is left of an invoice',
    example: 'INV-000001 --reissue --reason "Sent to the wrong company."',
    flags: { reissue: '--reissue', keep_credits: '--keep-credits' },
  },
  run: (creditNotes, { path, change, body }) => creditNotes.void(path.number.number, change, body),
});

const credit = notes.change({
  id: 'creditInvoice',
  method: 'post',
  path: `${ONE}/credit-notes`,
  summary: 'Takes back all that is left of an invoice, or parts of it',
  description:
    'All that is left of it where neither lines nor calls are named; else parts of lines (net amounts, ' +
    'or credits of the overage), or calls, of which that part is credited that no grant covered (else ' +
    '409). Never more than is left, and of a call once. Of a purchase at most what its unused credits ' +
    'are worth (else 409), and these are taken back with it (`credits_taken_back`), or kept as ' +
    'promotional ones (`keep_credits`, `credits_kept`).',
  access: STAFF_CHANGE,
  body: CreditInvoice,
  answer: created(CreditNote),
  location: ({ number }) => `/credit-notes/${number}`,
  cli: {
    name: 'invoice credit',
    description: 'take back all that is left of an invoice, or parts of its lines, or calls',
    example: 'INV-000001 --lines 4=1200 --reason "Agreed by phone."',
    flags: {
      lines: '--lines <4=1200,5=500c>',
      call_ids: '--calls <ids>',
      keep_credits: '--keep-credits',
    },
  },
  run: (creditNotes, { path, change, body }) =>
    creditNotes.credit(path.number.number, change, body),
});

const pay = payments.change({
  id: 'recordPayment',
  method: 'post',
  path: `${ONE}/payments`,
  summary: 'Records what was paid of an invoice',
  description:
    'At most what is due. Below 0 it takes back what was recorded as paid: a payment that bounced or was ' +
    'booked wrongly, or what was overpaid and is paid back.',
  access: STAFF_CHANGE,
  body: RecordPayment,
  answer: created(Payment),
  cli: {
    name: 'invoice pay',
    description: 'record what was paid, in minor units; below 0 what bounced or was paid back',
    example: 'INV-000001 79343 --date 2026-11-12 --reference INV-000001',
    arguments: ['amount'],
    flags: { date: '--date <date>' },
  },
  run: (all, { path, change, body }) => all.pay(path.number.number, change, body),
});

const receive = payments.change({
  id: 'receivePayment',
  method: 'post',
  path: '/accounts/{account_id}/payments',
  summary: 'Records a payment of an account',
  description:
    'It pays the invoices of `apply`, or those that are due, oldest first. What is over is credit balance, ' +
    'which pays later invoices as they are issued. The credit balance is used with it.',
  access: STAFF_CHANGE,
  body: ReceivePayment,
  answer: created(AccountPayment),
  cli: {
    name: 'account pay',
    description: 'record a payment of an account, in minor units: oldest invoices first',
    example: 'Acme 40000 --date 2026-12-08',
    arguments: ['amount'],
    flags: { date: '--date <date>', reference: '--reference <text>' },
  },
  run: (all, { path, change, body }) => all.receive(path.account_id, change, body),
});

const refund = payments.change({
  id: 'recordRefund',
  method: 'post',
  path: '/accounts/{account_id}/refunds',
  summary: 'Records what a customer was paid back',
  description:
    'Of invoices that were credited after they were paid first, then of the credit balance; 409 for more ' +
    'than both.',
  access: STAFF_CHANGE,
  body: RecordRefund,
  answer: created(Refund),
  cli: {
    name: 'account refund',
    description: 'record what a customer was paid back, in minor units',
    example: 'Acme 1728 --date 2026-12-08',
    arguments: ['amount'],
    flags: { date: '--date <date>', reference: '--reference <text>' },
  },
  run: (all, { path, change, body }) => all.refund(path.account_id, change, body),
});

const writeOff = payments.change({
  id: 'writeOff',
  method: 'post',
  path: '/accounts/{account_id}/write-offs',
  summary: 'Writes off what an invoice is not expected to bring any more',
  description:
    'All that is due of it, or a part. Tax is not corrected: a credit note does that. Below 0 a write-off ' +
    'is taken back.',
  access: STAFF_CHANGE,
  body: RecordWriteOff,
  answer: created(WriteOff),
  cli: {
    name: 'account write-off',
    description: 'write off what an invoice is not expected to bring any more',
    example: 'Acme INV-000001 --reason "The customer is insolvent."',
    arguments: ['number'],
    flags: { amount: '--amount <minor>', date: '--date <date>' },
  },
  run: (all, { path, change, body }) => all.writeOff(path.account_id, change, body),
});

const setReminders = reminders.change({
  id: 'replaceReminders',
  method: 'put',
  path: `${ONE}/reminders`,
  summary: 'Stops the reminders of an invoice, or lets them go on',
  description:
    'The seller says when customers are reminded (`reminder_days`); payment of what is due ends it too. ' +
    'Where they go on, of the reminders that were left out meanwhile only the last one is sent.',
  access: STAFF_CHANGE,
  body: SetReminders,
  answer: ok(RemindersSchema),
  cli: {
    name: 'invoice reminders',
    description: 'stop the reminders of an invoice, or let them go on',
    example: 'INV-000001 --stopped true --reason "They will pay in January."',
    flags: { stopped: '--stopped <true|false>' },
  },
  run: (all, { path, change, body }) => all.set(path.number.number, change, body),
});

/** Runs that issue invoices, what is taken back of these, and what is paid. */
export const INVOICING: readonly Resource[] = [
  { service: Invoicing, operations: [run, getRun] },
  { service: CreditNotes, operations: [voidInvoice, credit] },
  { service: Payments, operations: [pay, receive, refund, writeOff] },
  { service: Reminders, operations: [setReminders] },
];
