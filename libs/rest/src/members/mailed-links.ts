import type { FastifyRequest } from 'fastify';
import type { SignInLinks } from '#deliveries/sign-in-links.js';
import { FIRST_PAGE, findOwnPage } from '#web/own-page.js';
import { NOTHING_HERE, ProblemException } from '#web/problem.js';
import type { AnonymousRates } from '#web/rates/anonymous-rates.js';
import type { Outcome } from '../operation/operation.js';
import type { SignedIn } from '../portal-sessions/portal-session.schemas.js';
import { refusedLink } from '../portal-sessions/refused-link.js';
import type { SignIns } from '../sign-in/sign-ins.js';
import type { MemberRows } from './member-rows.js';
import type { RequestLink } from './member.schemas.js';
import type { Memberships } from './memberships.js';

export interface MailedLinksParts {
  readonly links: SignInLinks;
  readonly rows: Pick<MemberRows, 'ofAddress'>;
  readonly memberships: Pick<Memberships, 'enterByLink'>;
  readonly strangers: Pick<AnonymousRates, 'countMail'>;
  readonly signIns: Pick<SignIns, 'note' | 'tried'>;
  /** Whether people sign in by an identity provider too. */
  readonly hasProvider: boolean;
  readonly onFault: (error: unknown) => void;
}

/** Links that members ask for by e-mail, or were invited with. */
export class MailedLinks {
  constructor(private readonly parts: MailedLinksParts) {}

  /** Answers the same, and as fast, whether the address is known. Throws a ProblemException. */
  async request(
    request: FastifyRequest,
    { email, return_to: returnTo }: RequestLink,
  ): Promise<Outcome<null>> {
    const { links, rows, strangers, hasProvider, onFault } = this.parts;
    if (!links.canMail) throw new ProblemException(NOTHING_HERE);
    const refused = strangers.countMail(request.raw);
    if (refused !== null) throw new ProblemException(refused);
    const members = await rows.ofAddress(email);
    // Not waited for: how long it takes would reveal that the address is known.
    if (members.length > 0) {
      const page = returnTo === undefined ? FIRST_PAGE.portal : findOwnPage('portal', returnTo);
      links.plan(email, page, hasProvider).catch(onFault);
    }
    return { view: null };
  }

  /** Signs in the member whose link it is, once. Throws a ProblemException that says why not. */
  async use(request: FastifyRequest, token: string): Promise<Outcome<SignedIn>> {
    const { links, memberships, signIns } = this.parts;
    return signIns.tried(request, 'portal', async () => {
      const used = await links.use(token);
      if ('refused' in used) throw refusedLink(used.refused);
      const { accountId } = used;
      const outcome = await memberships.enterByLink(request, used);
      if (outcome === undefined) throw refusedLink('revoked');
      signIns.note(request, 'signed-in', {
        door: 'portal',
        by: outcome.view.id,
        account_id: accountId,
      });
      return outcome;
    });
  }
}
