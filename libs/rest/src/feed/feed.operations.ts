import { sending } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { SESSION_READ } from '../operation/permissions.js';
import { Feed } from './feed.js';

const { read } = operationsOf<Feed>('Events');

/** A page opens it again and again by itself, whether anybody uses it or not. */
export const LISTEN = read({
  id: 'listen',
  path: '/accounts/{account_id}/events',
  summary: 'What happens to the account, as it happens (server-sent events)',
  description:
    'Each message has an `id`, the version of the account: a stream that broke off goes on behind ' +
    '`Last-Event-ID`. Kinds: `ready` first, then `call`, `alert`, `blocked`, `budget`, `api_key`, ' +
    '`credits`, `window`, `clock`, `invoice`, `account`; `reset`: so much was missed that all has to ' +
    'be read again; `signed_out`: the session is over.',
  access: SESSION_READ,
  headers: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The `id` of the last message that was read.',
      schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
    },
  ],
  answer: sending(null, ['text/event-stream'], {
    'text/event-stream': 'id: 7\nevent: ready\ndata: {}\n\n',
  }),
  run: (feed) => ({ view: feed.listen() }),
});

/** Live events of an account. */
export const FEED: Resource = { service: Feed, operations: [LISTEN] };
