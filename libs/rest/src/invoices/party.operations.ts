import { entityTag } from '#deciding/entity-tag.js';
import { publicSeller } from '#projections/invoices/parties.js';
import { SellerChanges } from '#invoicing/seller-changes.js';
import { ok } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { SALES_CHANGE, SALES_READ, STAFF_CHANGE } from '../operation/permissions.js';
import { BillingDetails } from './billing-details.js';
import { SetBuyer, SetSeller } from './invoice-requests.js';
import { Buyer, Seller } from './invoice.schemas.js';

const TAG = 'Invoices';
const OF_ACCOUNT = '/accounts/{account_id}/billing';

const sellers = operationsOf<SellerChanges>(TAG);
const buyers = operationsOf<BillingDetails>(TAG);

const getSeller = sellers.read({
  id: 'getSeller',
  path: '/seller',
  summary: 'The seller of the invoices',
  description:
    'The party that stands as seller on invoices issued from now on. It is empty until it is ' +
    'filled in. The `ETag` is the version for `If-Match`. Customers do not see what is of its books alone.',
  access: SALES_READ,
  answer: ok(Seller, { validator: 'own' }),
  cli: {
    name: 'seller show',
    description: 'the seller on invoices that are issued from now on',
    example: '--json > seller.json',
  },
  run: async (changes, { account }) => {
    const { version, seller } = await changes.read();
    return { view: account === null ? seller : publicSeller(seller), tag: entityTag(version) };
  },
});

const setSeller = sellers.change({
  id: 'replaceSeller',
  method: 'put',
  path: '/seller',
  summary: 'Replaces the seller of the invoices',
  description:
    'All members are replaced. Invoices issued from now on show the new seller, also those that are held ' +
    'now; documents that are issued never change.',
  access: STAFF_CHANGE,
  body: SetSeller,
  answer: ok(Seller, { validator: 'own' }),
  isConditional: true,
  cli: {
    name: 'seller set',
    description: 'replace the seller by a JSON file, as show --json prints it',
    example: 'seller.json',
    arguments: ['file'],
    options: [],
  },
  run: async (changes, { change, body }) => {
    const { view, replayed } = await changes.change(change, body);
    return { view: view.seller, tag: entityTag(view.version), replayed };
  },
});

const getBuyer = buyers.read({
  id: 'getBillingDetails',
  path: OF_ACCOUNT,
  summary: 'The billing details of an account',
  description:
    'Name, address and tax of the customer as they stand on invoices issued from now on. ' +
    'Until they are filled in, they hold the name of the account alone.',
  access: SALES_READ,
  answer: ok(Buyer, { validator: 'own' }),
  cli: {
    name: 'billing show',
    description: 'name, address and tax of a customer on invoices that are issued from now on',
    example: 'Acme --json > acme.json',
  },
  run: (details, { path }) => details.get(path.account_id),
});

const setBuyer = buyers.change({
  id: 'replaceBillingDetails',
  method: 'put',
  path: OF_ACCOUNT,
  summary: 'Replaces the billing details of an account',
  description:
    'What was issued stays as it is, and what is held for a lack of them is issued. `tax` counts before ' +
    'that of the plan, for all that is not issued yet. Customers change neither `tax` nor `purchases`: ' +
    'both stay as they were agreed.',
  access: SALES_CHANGE,
  body: SetBuyer,
  answer: ok(Buyer, { validator: 'own' }),
  isConditional: true,
  cli: {
    name: 'billing set',
    description: 'replace them by a JSON file, as show --json prints it',
    example: 'Acme acme.json',
    arguments: ['file'],
    options: [],
  },
  run: (details, { path, account, change, body }) =>
    account === null
      ? details.set(path.account_id, change, body)
      : details.setOwn(account, change, body),
});

/** Who sends invoices, and whom they are addressed to. */
export const PARTIES: readonly Resource[] = [
  { service: SellerChanges, operations: [getSeller, setSeller] },
  { service: BillingDetails, operations: [getBuyer, setBuyer] },
];
