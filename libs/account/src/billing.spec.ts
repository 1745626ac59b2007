import { advance, evolveAll } from './advance.js';
import { auditEvent } from './audit.js';
import type { InvoiceRecord } from './billing-events.js';
import type { RecordBilling } from './billing.js';
import type { AccountState } from './state.js';
import {
  adjust,
  after,
  callAt,
  changeAccount,
  DAY,
  given,
  grantCredits,
  issueApiKey,
  openAccount,
  origin,
  ownEvent,
  plan,
  terms,
  TUESDAY,
  voidGrant,
  when,
} from './scenario.suite.js';

const DECEMBER = Date.UTC(2026, 11, 1);
const profile = { id: 'profile-2', sha256: 'cd' };
const amounts = { currency: 'USD', net: 100, tax: 19, total: 119 };

function invoice(month: string): InvoiceRecord {
  const dates = { issue_date: '2026-12-01', due_date: '2026-12-15' };
  const parties = { seller: null, buyer: profile };
  const data = { invoice_id: `invoice-${month}`, month, ...dates, ...amounts, ...parties };
  return { type: 'InvoiceSealed', data: { ...data, series: 'INV', lines: 3, sha256: 'ab' } };
}

function creditNote(): InvoiceRecord {
  const data = { invoice_id: 'invoice-2026-11', month: '2026-11', issue_date: '2026-12-02' };
  const note = { credit_note_id: 'note-1', series: 'CN', lines: [[1, 100]], sha256: 'ef' } as const;
  return { type: 'CreditNoteSealed', data: { ...data, ...amounts, ...note } };
}

function payment(): InvoiceRecord {
  const data = { payment_id: 'payment-1', invoice_id: 'invoice-2026-11', amount: 119 };
  const paid = { currency: 'USD', date: '2026-12-10', reference: null };
  return { type: 'PaymentRecorded', data: { ...data, ...paid } };
}

function overdue(): InvoiceRecord {
  const data = { invoice_id: 'invoice-2026-11', due_date: '2026-12-15', due: 119 };
  return { type: 'InvoiceOverdue', data: { ...data, currency: 'USD' } };
}

function record(state: AccountState, entry: InvoiceRecord): RecordBilling {
  return { command: 'record-billing', origin, after: state.billing.version, record: entry };
}

/** An account that called on that Tuesday in November, as December begins. */
function december(changes = {}): AccountState {
  const opened = openAccount({ plan, overdraft: null, ...changes });
  const called = given([TUESDAY, opened], [TUESDAY, issueApiKey()], [TUESDAY, callAt(TUESDAY)]);
  return evolveAll(called, advance(called, DECEMBER, terms.calendar));
}

function sealed(state: AccountState, month = '2026-11'): AccountState {
  return after(state, DECEMBER, record(state, invoice(month)));
}

describe('the invoice of a month', () => {
  it('is sealed once the month is closed', () => {
    const state = december();
    const event = ownEvent(
      when(state, DECEMBER, record(state, invoice('2026-11'))),
      'InvoiceSealed',
    );
    expect(event).toEqual({
      type: 'InvoiceSealed',
      at: DECEMBER,
      data: { ...origin, ...invoice('2026-11').data },
    });
    expect(sealed(state).billing).toMatchObject({
      version: state.version + 1,
      invoicedMonth: '2026-11',
      profile: null,
    });
  });

  it.each([
    ['of a month that still runs', '2026-12', 'conflict'],
    ['of a month that was invoiced', '2026-11', 'conflict'],
    ['of a month before one that was invoiced', '2026-10', 'conflict'],
  ])('%s is refused', (_what, month, reason) => {
    const state = sealed(december());
    const { events, refusal } = when(state, DECEMBER, record(state, invoice(month)));
    expect([events, refusal?.reason]).toEqual([[], reason]);
  });

  it('is refused when something happened to an invoice since it was decided', () => {
    const state = december();
    const stale = record(state, invoice('2026-12'));
    const { version } = sealed(state).billing;
    const { refusal } = when(sealed(state), DECEMBER, stale);
    expect(refusal).toEqual({ reason: 'billing-moved', version });
  });

  it('is refused when a purchase on it was voided since its lines were made', () => {
    const bought = given(
      [TUESDAY, openAccount({ plan })],
      [TUESDAY, { command: 'change-billing', origin, profile, purchases: 'monthly' }],
      [TUESDAY, grantCredits(1_000, { grantId: 'grant-1', price: 12_500 })],
    );
    const state = evolveAll(bought, advance(bought, DECEMBER, terms.calendar));
    const [purchase] = state.billing.unbilled;
    expect(purchase).toMatchObject({ month: '2026-11', credits: 1_000, amount: 12_500 });
    const seal = (of: AccountState): RecordBilling => {
      return { ...record(of, invoice('2026-11')), bills: [['grant-1', 1_000, 12_500]] };
    };
    expect(when(state, DECEMBER, seal(state)).refusal).toBeNull();
    const voided = after(state, DECEMBER, voidGrant('grant-1'));
    const { refusal } = when(voided, DECEMBER, seal(voided));
    expect(refusal).toEqual({ reason: 'billing-moved', version: 0 });
    const without = { ...seal(voided), bills: [] };
    expect(when(voided, DECEMBER, without).refusal).toBeNull();
  });

  it('opens no month, so that an idle account has none to close', () => {
    const state = december({ plan: null });
    expect(state.monthSince).toBeNull();
    const billed = sealed(state);
    const paid = after(billed, DECEMBER + DAY, record(billed, payment()));
    expect(paid.monthSince).toBeNull();
  });

  it('is sealed also of an account that was closed', () => {
    const closed = after(december(), DECEMBER, { command: 'close-account', origin });
    expect(sealed(closed).billing.invoicedMonth).toBe('2026-11');
  });
});

describe('what happens to an invoice', () => {
  it.each([creditNote(), payment(), overdue()])('$type moves the version of billing', (entry) => {
    const state = sealed(december());
    const next = after(state, DECEMBER, record(state, entry));
    expect(next.billing).toEqual({ ...state.billing, version: next.version });
    expect(when(next, DECEMBER, record(state, entry)).refusal?.reason).toBe('billing-moved');
  });

  it('is what an audit would decide again', () => {
    const auditTerms = { ...terms, resourceOf: () => undefined };
    let state = december();
    for (const entry of [invoice('2026-11'), creditNote(), payment(), overdue()]) {
      const event = ownEvent(when(state, DECEMBER, record(state, entry)), entry.type);
      expect(auditEvent(state, event, false, auditTerms)).toBeNull();
      state = after(state, DECEMBER, record(state, entry));
      if (entry.type !== 'InvoiceSealed') continue;
      expect(auditEvent(state, event, false, auditTerms)?.member).toBe('decision');
    }
  });
});

describe('a call whose month is invoiced', () => {
  const give = (at: number) => adjust(10, { callId: 'call-1', charged: 10, at });

  it('is given back by a credit note alone', () => {
    const state = sealed(december());
    expect(when(state, DECEMBER, give(DECEMBER - 1)).refusal?.reason).toBe('conflict');
    expect(when(december(), DECEMBER, give(DECEMBER - 1)).refusal).toBeNull();
    expect(when(state, DECEMBER, give(DECEMBER)).refusal).toBeNull();
  });

  it('is given back all the same where its answer was never delivered', () => {
    const command = adjust(10, { callId: 'call-1', charged: 10 });
    expect(when(sealed(december()), DECEMBER, command).refusal).toBeNull();
  });
});

describe('billing details', () => {
  const change = { command: 'change-billing', origin, profile } as const;

  it('are named by their row, and saying the same again changes nothing', () => {
    const state = after(december(), DECEMBER, change);
    expect(state.billing).toMatchObject({ version: 0, invoicedMonth: null, profile });
    expect(when(state, DECEMBER, change)).toEqual({ events: [], own: null, refusal: null });
  });

  it('of a closed account may still be said, because an invoice may wait for them', () => {
    const closed = after(december(), DECEMBER, { command: 'close-account', origin });
    expect(after(closed, DECEMBER, change).billing.profile).toEqual(profile);
  });

  it('of an erased account stay as they are', () => {
    const closed = after(december(), DECEMBER, { command: 'close-account', origin });
    const erased = after(closed, DECEMBER, { command: 'erase-profile', origin, profiles: [] });
    expect(when(erased, DECEMBER, change).refusal?.reason).toBe('account-closed');
  });
});

it('the close of a month that an older version wrote without its grants is still sound', () => {
  const state = after(december(), DECEMBER, changeAccount({ plan: null }));
  const january = Date.UTC(2027, 0, 1);
  const events = advance(state, january, terms.calendar);
  const close = events.findIndex(({ type }) => type === 'MonthClosed');
  const event = events[close];
  if (event?.type !== 'MonthClosed') throw new Error('No month was closed.');
  expect(event.data.grants).toEqual([]);
  const { grants: _grants, ...data } = event.data;
  const before = evolveAll(state, events.slice(0, close));
  const auditTerms = { ...terms, resourceOf: () => undefined };
  expect(auditEvent(before, { ...event, data }, false, auditTerms)).toBeNull();
  const wrong = { ...event, data: { ...data, grants: [[1, 5]] as const } };
  expect(auditEvent(before, wrong, false, auditTerms)?.member).toBe('grants');
});
