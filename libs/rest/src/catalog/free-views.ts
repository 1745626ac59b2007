import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { present } from '#projections/reads/account-view.js';
import { unchangedSinceIn, type Answer, type Release } from '#popularity/releases.js';
import type { Resource } from '#rating/resource.js';
import { parseServedPath } from '#popularity/regions.js';
import { resourceKey } from '#rating/resource-key.js';
import { invalidParameters } from '#web/parameter-fault.js';
import { problem, ProblemException } from '#web/problem.js';
import { priceAboveMaximum } from '#web/refusal-problem.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { noRelease, notBegun } from '../metered-paths/locate.js';
import { noMeteredPath } from '../metered-paths/metered-path.js';
import { currentTerms, type PriceSource } from '#deciding/current-terms.js';
import { firstPrice } from '#deciding/first-price.js';
import { type PortalReleases } from './ports.js';
import { releaseFor } from './own-release.js';
import { ViewLimit } from './view-limit.js';

/** Where a path leads for an account at this moment. */
interface LocatedPath {
  readonly state: AccountState;
  /** Label of the running window. */
  readonly running: string;
  /** Label in the key. */
  readonly window: string;
  readonly key: string;
  readonly resource: Resource;
  readonly release: Release;
}

/** Data that an account has paid, to look at again without another call. */
export class FreeViews {
  private readonly limit = new ViewLimit();

  constructor(
    private readonly loader: AccountLoader,
    private readonly releases: PortalReleases,
    private readonly prices: PriceSource,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  /**
   * The JSON text of the data behind a path of the API. Throws a ProblemException: what the API
   * would refuse the path with, and the price of what is not paid yet.
   */
  async look(accountId: string, path: string): Promise<string> {
    this.limit.take(accountId, this.clock.now());
    const located = await this.locate(accountId, path);
    const { key, window, release, resource } = located;
    const found = await this.releases.answer(release, resource);
    if (found.outcome !== 'found') {
      throw new ProblemException(problem(found.outcome, found.detail));
    }
    const { answer } = found;
    const { opened } = await this.loader.opened([{ accountId, key }]);
    if (opened.length === 0) throw await this.unpaid(located, answer);
    const head = JSON.stringify({
      key,
      window,
      release: release.label,
      through: release.through,
      unchanged_since: unchangedSinceIn(window, answer),
    });
    // The data is finished text: parsing and writing it again would lose digits.
    return `${head.slice(0, -1)},"data":${answer.data}}}`;
  }

  private async locate(accountId: string, path: string): Promise<LocatedPath> {
    const parsed = parseServedPath(path);
    if (parsed.outcome === 'not-found') throw new ProblemException(noMeteredPath(path));
    if (parsed.outcome === 'invalid') {
      throw new ProblemException(invalidParameters(parsed.parameters));
    }
    const known = await knownAccount(this.loader, accountId);
    const { state, at } = present(known, this.clock.now(), this.calendar);
    const running = this.calendar.windowAt(at).label;
    const window = parsed.window === 'latest' ? running : parsed.window;
    if (window > running) throw unknownWindow(notBegun(window, running));
    const release = releaseFor(this.releases, state, window);
    if (release === undefined) throw unknownWindow(noRelease(window, this.releases.first()));
    const { resource } = parsed;
    return { state, running, window, key: resourceKey(resource, window), resource, release };
  }

  private async unpaid(located: LocatedPath, { rows }: Answer): Promise<ProblemException> {
    const { state, running, key, resource } = located;
    const terms = await currentTerms(this.prices, state);
    const credits = firstPrice(state, { key, resource, rows }, running, terms);
    const price = { requiredCredits: credits, maxCredits: 0, kind: 'base' };
    const { slug, members, headers } = priceAboveMaximum(price);
    const detail = `The account has not called this yet: the first call costs ${credits} credits.`;
    return new ProblemException(problem(slug, detail, members, headers));
  }
}

function unknownWindow(detail: string): ProblemException {
  return new ProblemException(problem('unknown-window', detail));
}
