import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

const FILE = process.env.CHROMIUM_PATH ?? '';
const FETCHED = path.resolve(__dirname, '../../dist/.chromium');
const TIMEOUT_MS = 60_000;

/** For machines that have much else to do. */
export const START_MS = 300_000;
export const TEST_MS = 240_000;

/** How a page is looked at. */
export interface Sight {
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
}

export const AT_A_DESK: Sight = {
  colorScheme: 'light',
  viewport: { width: 1280, height: 900 },
};
export const IN_A_HAND: Sight = {
  colorScheme: 'dark',
  viewport: { width: 390, height: 844 },
};
const WIDE = { width: 1920, height: 1080 };
/** Each page is looked at closely on the largest by day and on the smallest by night. */
export const SIGHTS: readonly Sight[] = [{ colorScheme: 'light', viewport: WIDE }, IN_A_HAND];
/** Between them a page has to fit, too. */
export const WIDTHS_BETWEEN = [768, 1024, 1280, 1440] as const;

/** Tests in a browser; skipped where there is none, which the start of the run says. */
export function describeInBrowser(name: string, tests: () => void): void {
  // Each spec has a `describe` of its own, and this module serves several.
  (FILE === '' ? describe.skip : describe)(name, tests);
}

/** A window of a browser of one visitor, and everything that is wrong with what it was shown. */
export class Visitor {
  /** Errors of scripts and of the console, breaches of the policy, requests to other hosts. */
  readonly complaints: string[] = [];
  /** Answers of 400 and above: `412 /portal/v1/views`. */
  readonly refusals: string[] = [];

  private constructor(readonly page: Page) {}

  /** `timezoneId`: of the clock on the visitor's wall. */
  static async arrive(browser: Browser, timezoneId = 'UTC'): Promise<Visitor> {
    const context = await browser.newContext({
      ...AT_A_DESK,
      timezoneId,
      // What fades in would be looked at while it can hardly be read.
      reducedMotion: 'reduce',
      locale: 'en-GB',
    });
    const visitor = new Visitor(await context.newPage());
    await visitor.watch();
    return visitor;
  }

  private async watch(): Promise<void> {
    const { page, complaints, refusals } = this;
    page.setDefaultTimeout(TIMEOUT_MS);
    await page.addInitScript(
      `addEventListener('securitypolicyviolation', (event) =>
         console.error('Policy: ' + event.violatedDirective + ' ' + event.blockedURI));`,
    );
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      const isOwn = page.url() === 'about:blank' || origin === new URL(page.url()).origin;
      if (protocol.startsWith('http') && !isOwn) complaints.push(`Request to ${request.url()}`);
    });
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      // That the service is not ready is news of it, and no refusal: it comes and goes with load.
      if (pathname === '/readyz') return;
      if (response.status() >= 400) refusals.push(`${response.status()} ${pathname}`);
    });
  }

  /** Waits for the heading of a page, and for everything on it that is still being read. */
  async atRest(heading: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: heading }).first().waitFor();
    await this.page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' });
  }

  /** Looks otherwise at the page that is open. */
  async look({ colorScheme, viewport }: Sight): Promise<void> {
    await this.page.emulateMedia({ colorScheme });
    await this.page.setViewportSize(viewport);
  }

  async leave(): Promise<void> {
    await this.page.context().close();
  }
}

/** One for each file of tests. */
export async function startBrowser(): Promise<Browser> {
  const isFetched = FILE.startsWith(FETCHED);
  const libraries = {
    LD_LIBRARY_PATH: path.join(FETCHED, 'al2023', 'lib'),
    FONTCONFIG_PATH: path.join(FETCHED, 'fonts'),
  };
  return chromium.launch({
    executablePath: FILE,
    // It refuses to run as root with one, as containers do; it opens only what is made here.
    chromiumSandbox: false,
    args: ['--disable-dev-shm-usage', ...(isFetched ? ['--no-zygote', '--headless=shell'] : [])],
    ...(isFetched && { env: { ...process.env, ...libraries } }),
  });
}
