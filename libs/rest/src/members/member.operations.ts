import { created, NOTHING, ok, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { SALES_CHANGE, SALES_READ, SESSION_READ } from '../operation/permissions.js';
import { PAGE, pageBy } from '../operation/queries.js';
import { Reason } from '../operation/reason.js';
import { SignedIn } from '../portal-sessions/portal-session.schemas.js';
import { sessionOf } from '../portal-sessions/signed-in.js';
import { MailedLinks } from './mailed-links.js';
import {
  AddedMember,
  AddMember,
  Member,
  Membership,
  RequestLink,
  SwitchAccount,
  UseLink,
} from './member.schemas.js';
import { Members } from './members.js';
import { Memberships } from './memberships.js';

const ALL = '/accounts/{account_id}/members';

const members = operationsOf<Members>('Portal');
const own = operationsOf<Memberships>('Session');
const mailed = operationsOf<MailedLinks>('Session');

const add = members.change({
  id: 'addMember',
  method: 'post',
  path: ALL,
  summary: 'Lets a person sign in to the portal of the account',
  description:
    'The person is mailed a link that signs in once, within 7 days, or signs in with the company ' +
    'account (OpenID Connect), the first time by its verified e-mail address. Without a mail server and a ' +
    'company account the answer holds the link. A member gets another role or link this way; sessions ' +
    'of another role are over.',
  access: SALES_CHANGE,
  body: AddMember,
  answer: created(AddedMember),
  isConditional: true,
  cli: {
    name: 'member add',
    description: 'let a person sign in to the portal of an account',
    example: 'Acme nadja@example.com --role manager',
    arguments: ['email'],
  },
  run: (service, { path, change, body }) => service.add(path.account_id, change, body),
});

const list = members.read({
  id: 'listMembers',
  path: ALL,
  summary: 'People who may sign in to the portal of the account',
  description: 'In the order in which they were added, with the last sign-in of each.',
  access: SALES_READ,
  query: PAGE,
  answer: page(Member),
  cli: {
    name: 'member list',
    description: 'people who may sign in to the portal of an account',
    example: 'Acme',
    columns: ['id', 'email', 'role', 'added_at', 'signed_in_at'],
  },
  run: async (service, { path, query }) => ({ view: await service.page(path.account_id, query) }),
});

const remove = members.change({
  id: 'removeMember',
  method: 'delete',
  path: `${ALL}/{member_id}`,
  summary: 'Removes a person from the account; its sessions are over at once',
  description: 'The address is forgotten with it; the log keeps that somebody was removed.',
  access: SALES_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: NOTHING,
  isConditional: true,
  cli: {
    name: 'member remove',
    description: 'remove a person from an account',
    example: 'Acme 0b7a…',
    done: 'The person may not sign in any more.',
  },
  run: (service, { path, change }) => service.remove(path.account_id, path.member_id, change),
});

const memberships = own.read({
  id: 'listMemberships',
  path: '/session/accounts',
  summary: 'Accounts that whoever is signed in may open',
  description:
    'In the order in which the person was added to them. The one account of the session where it was opened with a link of an operator.',
  access: SESSION_READ,
  query: PAGE,
  answer: page(Membership),
  async run(service, { request, query }) {
    const pageOf = pageBy(query);
    return { view: pageOf(await service.of(sessionOf(request))) };
  },
});

const switchAccount = own.change({
  id: 'replaceSessionAccount',
  method: 'put',
  path: '/session/account',
  summary: 'Signs in to another account of the same person',
  description: 'The session of the account before stays as it is; the cookie names the new one.',
  access: SESSION_READ,
  body: SwitchAccount,
  answer: ok(SignedIn, { setsCookie: true }),
  run: (service, { request, change, body }) =>
    service.switchTo(sessionOf(request), body.account_id, change),
});

const requestLink = mailed.read({
  id: 'requestSignInLink',
  method: 'post',
  path: '/session/links',
  summary: 'Mails a member a link that signs in',
  description:
    'Answered the same whether a member has this address. The link works once, for 15 minutes, on a ' +
    'page that asks first. An address gets at most 3 in 15 minutes, and a client asks for 20 at once and ' +
    'then for 2 a minute. Who has signed in by the identity provider signs in there. 404: this service ' +
    'has no mail server.',
  access: { session: 'viewer', isOpen: true },
  body: RequestLink,
  answer: NOTHING,
  problems: ['not-found'],
  run: (service, { request, body }) => service.request(request, body),
});

const useLink = mailed.read({
  id: 'useSignInLink',
  method: 'post',
  path: '/session/links/use',
  summary: 'Signs in with the token of a mailed link, once',
  description: 'The session lasts 8 hours, and at most 30 minutes without a request.',
  access: { session: 'viewer', isOpen: true },
  body: UseLink,
  answer: ok(SignedIn, { setsCookie: true }),
  problems: ['not-found'],
  run: (service, { request, body }) => service.use(request, body.token),
});

/** People who sign in to the portal by themselves. */
export const MEMBERS: readonly Resource[] = [
  { service: Members, operations: [add, list, remove] },
  { service: Memberships, operations: [memberships, switchAccount] },
  { service: MailedLinks, operations: [requestLink, useLink] },
];
