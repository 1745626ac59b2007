import { ProblemError } from '#client/problem-error.js';
import { bodiesOf, customerFields, faultOfStep, STEPS } from './customer-steps.js';

const VALUES = {
  'account/name': 'Nova',
  'account/currency': 'EUR',
  pays: 'prepaid',
  'grant/credits': 100_000,
  'grant/price': 120.5,
  'account/plan/monthly_fee': 49,
  'billing/address/line1': 'Ring 1',
  'billing/address/country': 'AT',
  'billing/email': 'a@example.com',
  'billing/tax/category': 'S',
  'billing/tax/rate_percent': 20,
  'key/label': 'First key',
  'member/email': 'nadja@example.com',
};

function bodies(values: object, done: readonly (typeof STEPS)[number][] = []) {
  return bodiesOf(customerFields('EUR', new Set(done)), { ...VALUES, ...values });
}

describe('the form of a new customer', () => {
  it('asks for one change each: account, billing details, credits, key and member', () => {
    expect(bodies({})).toEqual({
      account: { name: 'Nova', currency: 'EUR' },
      billing: {
        name: 'Nova',
        address: { line1: 'Ring 1', country: 'AT' },
        email: 'a@example.com',
        tax: { category: 'S', rate_percent: 20 },
      },
      grant: { credits: 100_000, price: 12_050, kind: 'purchased' },
      key: { label: 'First key' },
      member: { email: 'nadja@example.com', role: 'manager' },
    });
  });

  it('opens the account with its plan and grants nothing where a plan is paid', () => {
    const { account, grant } = bodies({ pays: 'plan' });
    const tax = { category: 'S', rate_percent: 20 };
    expect(account).toMatchObject({ plan: { monthly_fee: 4_900, tax } });
    expect(grant).toBeUndefined();
  });

  it('asks for nothing again that was made before', () => {
    expect(Object.keys(bodies({}, ['account', 'billing']))).toEqual(['grant', 'key', 'member']);
  });

  it('asks for a rate only where a tax has one', () => {
    const { billing } = bodies({ 'billing/tax/category': 'O' });
    expect(billing?.['tax']).toEqual({ category: 'O', rate_percent: 0 });
  });

  it('invites nobody without an address', () => {
    expect(bodies({ 'member/email': '' }).member).toBeUndefined();
  });

  it('shows a fault of a change at its field', () => {
    const body = {
      code: 'invalid-body',
      title: 'Wrong',
      status: 400,
      errors: [{ pointer: '/address/city', detail: 'Required' }],
    };
    const fault = faultOfStep('billing', new ProblemError(body, new Headers())) as ProblemError;
    expect(fault.members['errors']).toEqual([
      { pointer: '/billing/address/city', detail: 'Required' },
    ]);
  });
});
