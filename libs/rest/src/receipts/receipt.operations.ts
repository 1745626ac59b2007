import { created, ok, page } from '../operation/answer.js';
import { operationsOf, type Access, type Resource } from '../operation/operation.js';
import { ACCOUNT_READ, STAFF_READ } from '../operation/permissions.js';
import { PAGE } from '../operation/queries.js';
import { CallReceipts } from './call-receipts.js';
import { ReceiptKeyService } from './receipt-key-service.js';
import { CallReceipt, ReceiptKey, RotateReceiptKey } from './receipt.schemas.js';

const BY_OWNERS: Access = { roles: [] };

const get = operationsOf<CallReceipts>('Usage').read({
  id: 'getCallReceipt',
  path: '/calls/{call_id}/receipt',
  summary: 'The signed receipt of a call',
  description:
    'What the call was charged, and its place in the chain of the account, as a JWS that can be ' +
    'checked without the service. The content is the same whenever it is asked for, and that of ' +
    'the `Receipt` header of the answer; the key may be a newer one.',
  access: ACCOUNT_READ,
  answer: ok(CallReceipt),
  problems: ['accounting-unavailable'],
  cli: { name: 'call receipt', description: 'the signed receipt of a call', example: '0197c2aa…' },
  run: async (receipts, { path, account }) => ({ view: await receipts.of(account, path.call_id) }),
});

const keys = operationsOf<ReceiptKeyService>('Safety');

const list = keys.read({
  id: 'listReceiptKeys',
  path: '/receipt-keys',
  summary: 'Keys that sign receipts, oldest first',
  description: 'All keys there ever were. Their private halves are shown nowhere.',
  access: STAFF_READ,
  query: PAGE,
  answer: page(ReceiptKey),
  cli: {
    name: 'receipt-key list',
    description: 'every key that signs or has signed receipts',
    example: '',
    columns: ['kid', 'signs_from', 'status'],
  },
  run: async (service, { query }) => ({ view: await service.list(query) }),
});

const rotate = keys.change({
  id: 'rotateReceiptKey',
  method: 'post',
  path: '/receipt-keys',
  summary: 'Makes the next key that signs receipts',
  description:
    'The key before signs for 10 more minutes, and stays listed for ever: what it has signed can ' +
    'still be checked. Its private half is removed then.',
  access: BY_OWNERS,
  body: RotateReceiptKey,
  isBodyOptional: true,
  answer: created(ReceiptKey),
  location: () => '/receipt-keys',
  cli: {
    name: 'receipt-key rotate',
    description: 'make the next key that signs receipts',
    example: '--reason "once a year"',
  },
  run: (service, { change: made, body }) => service.rotate(made, body),
});

/** Receipts of calls. */
export const RECEIPTS: Resource = { service: CallReceipts, operations: [get] };

/** The keys that sign them. */
export const RECEIPT_KEYS: Resource = { service: ReceiptKeyService, operations: [list, rotate] };
