import { ProblemError } from '#client/problem-error.js';
import { bodyOf, type Field, type FormValues } from '../../form/fields.js';
import { ADDRESS } from '../../account/party-fields.js';
import { CURRENCIES, planFields, taxFields } from '../accounts/account-fields.js';

/** The changes that make a customer, in this order: each begins the names of its fields. */
export const STEPS = ['account', 'billing', 'grant', 'key', 'member'] as const;
export type Step = (typeof STEPS)[number];

const isPlan = ({ pays }: FormValues) => pays === 'plan';
const isPrepaid = ({ pays }: FormValues) => pays === 'prepaid';

/** How the customer pays, which no change takes as such. */
const PAYS: Field = {
  name: 'pays',
  label: 'Pays',
  kind: 'select',
  options: [
    { value: 'prepaid', label: 'credits, bought now' },
    { value: 'plan', label: 'a plan, invoiced each month' },
    { value: 'later', label: 'nothing yet' },
  ],
};

const RATE = 'billing/tax/rate_percent';

/** The category, and a rate where it has one. */
const TAX: readonly Field[] = taxFields('billing/tax', 'Tax (optional)')
  .filter(({ name }) => name !== 'billing/tax/reason')
  .map((field) =>
    field.name === RATE
      ? { ...field, appliesTo: (values) => values['billing/tax/category'] === 'S' }
      : field,
  );

function named(step: Step, field: Field): Field {
  return { ...field, name: `${step}/${field.name}` };
}

function planFieldsOf(currency: string): readonly Field[] {
  return planFields(currency)
    .filter(({ name }) => name.startsWith('plan/') && !name.startsWith('plan/tax/'))
    .map((field) => ({ ...named('account', field), appliesTo: isPlan }));
}

/** Fields of the changes that are still to be made. */
export function customerFields(currency: string, done: ReadonlySet<Step>): readonly Field[] {
  const fields: readonly Field[] = [
    { name: 'account/name', label: 'Name, also on invoices' },
    {
      name: 'account/currency',
      label: 'Currency',
      kind: 'select',
      options: CURRENCIES.map((code) => ({ value: code, label: code })),
      beside: true,
    },
    PAYS,
    {
      name: 'grant/credits',
      label: 'Credits',
      kind: 'number',
      beside: true,
      appliesTo: isPrepaid,
    },
    {
      name: 'grant/price',
      label: 'Price, net',
      kind: 'money',
      currency,
      beside: true,
      appliesTo: isPrepaid,
    },
    ...planFieldsOf(currency),
    ...ADDRESS.map((field) => named('billing', field)),
    { name: 'billing/email', label: 'E-mail for invoices' },
    { name: 'billing/vat_id', label: 'VAT id (optional)', beside: true },
    ...TAX,
    { name: 'key/label', label: 'Label of the first API key' },
    {
      name: 'member/email',
      label: 'Invite to the portal (optional)',
      placeholder: 'E-mail of a manager',
      beside: true,
    },
  ];
  return fields.filter(({ name }) => name === 'pays' || !done.has(stepOf(name)));
}

function stepOf(name: string): Step {
  const [step] = name.split('/');
  return STEPS.find((one) => one === step) ?? 'account';
}

export type Bodies = Readonly<Partial<Record<Step, Readonly<Record<string, unknown>>>>>;

/** The body of each change that the form asks for. */
export function bodiesOf(fields: readonly Field[], values: FormValues): Bodies {
  const asked = fields.filter(
    ({ name, appliesTo }) => name !== 'pays' && (appliesTo?.(values) ?? true),
  );
  const { account, billing, member, ...others } = bodyOf(asked, values) as Bodies;
  const name = values['account/name'];
  const tax = typedTax(values);
  return {
    ...(account && { account: withTax(account, tax) }),
    ...others,
    ...(others.grant && { grant: { ...others.grant, kind: 'purchased' } }),
    ...(billing && { billing: { ...billing, name, ...(tax && { tax }) } }),
    ...(member && { member: { ...member, role: 'manager' } }),
  };
}

/** The tax that the form holds. Only the standard rate has a rate; undefined: none is chosen. */
export function typedTax(values: FormValues) {
  const category = values['billing/tax/category'];
  if (typeof category !== 'string' || category === '') return undefined;
  return { category, rate_percent: category === 'S' ? values[RATE] : 0 };
}

/** A plan states its tax itself. */
function withTax(account: Readonly<Record<string, unknown>>, tax: object | undefined) {
  const { plan } = account;
  if (typeof plan !== 'object') return account;
  return { ...account, plan: { ...plan, tax: tax ?? { category: 'O', rate_percent: 0 } } };
}

/** The refusal of a change, its faults named as the form names the fields. */
export function faultOfStep(step: Step, error: unknown): unknown {
  if (!(error instanceof ProblemError)) return error;
  const errors = (error.members['errors'] ?? []) as readonly { readonly pointer: string }[];
  const own = errors.map((fault) => ({ ...fault, pointer: `/${step}${fault.pointer}` }));
  return new ProblemError({ ...error.body, ...(own.length > 0 && { errors: own }) }, error.headers);
}
