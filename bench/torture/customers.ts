import { bodyOf, type AdminClient, type Body } from './admin-client.js';

export interface CustomerKey {
  readonly id: string;
  readonly secret: string;
}

/** A customer as its own programs and the operator know it. */
export interface Customer {
  readonly name: string;
  readonly accountId: string;
  /** Newest last; what was revoked is gone from here. */
  keys: CustomerKey[];
  /** The test clock, ms since 1970, or null. */
  clock: number | null;
  /** Entity tags by path, as last seen. */
  readonly entityTags: Map<string, string>;
  /** Charged calls that the operator may give back some day: id and credits. */
  readonly recent: { readonly callId: string; readonly credits: number }[];
  /** Credits that it is given when it runs dry; 0: never. */
  readonly topUp: number;
  /** Facts of its own behaviour, by which an answer is judged. */
  everSuspended: boolean;
}

interface Plan {
  readonly name: string;
  readonly account: Body;
  readonly credits: number;
  readonly topUp: number;
}

const FAST = { rate_limit: { per_second: 100_000, burst: 100_000 } };
const TEST_CLOCK = '2026-11-24T09:00:00Z';

const PLANS: readonly Plan[] = [
  { name: 'rich 1', account: FAST, credits: 1_000_000_000, topUp: 0 },
  { name: 'rich 2', account: FAST, credits: 1_000_000_000, topUp: 0 },
  { name: 'poor 1', account: FAST, credits: 300, topUp: 700 },
  { name: 'poor 2', account: FAST, credits: 2_000, topUp: 4_000 },
  { name: 'poor 3', account: FAST, credits: 50, topUp: 120 },
  { name: 'overdraft', account: { ...FAST, overdraft_credits: 5_000 }, credits: 0, topUp: 3_000 },
  { name: 'no limit', account: { ...FAST, overdraft_credits: null }, credits: 0, topUp: 0 },
  { name: 'test 1', account: { ...FAST, test_clock: TEST_CLOCK }, credits: 90_000, topUp: 90_000 },
  { name: 'test 2', account: { ...FAST, test_clock: TEST_CLOCK }, credits: 5_000, topUp: 5_000 },
  { name: 'slow', account: { rate_limit: { per_second: 2, burst: 4 } }, credits: 1e6, topUp: 0 },
];

async function made(admin: AdminClient, path: string, body: Body): Promise<Body> {
  const answer = await admin.once('POST', path, body);
  if (answer?.status !== 201) throw new Error(`${path}: ${answer?.body ?? 'no answer'}`);
  return bodyOf(answer);
}

async function open(admin: AdminClient, plan: Plan): Promise<Customer> {
  const account = await made(admin, '/accounts', { name: plan.name, ...plan.account });
  const accountId = String(account.id);
  const key = await made(admin, `/accounts/${accountId}/api-keys`, { label: 'first' });
  if (plan.credits > 0) {
    const grant = { credits: plan.credits, kind: 'promotional' };
    await made(admin, `/accounts/${accountId}/grants`, grant);
  }
  const isTest = 'test_clock' in plan.account;
  return {
    name: plan.name,
    accountId,
    keys: [{ id: String(key.id), secret: String(key.key) }],
    clock: isTest ? Date.parse(TEST_CLOCK) : null,
    entityTags: new Map(),
    recent: [],
    topUp: plan.topUp,
    everSuspended: false,
  };
}

/** Opens the accounts of a run while everything is still well. */
export async function openCustomers(admin: AdminClient): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (const plan of PLANS) customers.push(await open(admin, plan));
  return customers;
}
