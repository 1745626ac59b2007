import { TEST_MS, type Visitor } from './browser.js';
import { openConsole } from './console-door.js';
import { openPortal } from './portal-door.js';
import type { Stage } from './stage.js';

const BYTES_MAX = 300_000;
const SCRIPT = /\.js$/;

interface Load {
  readonly bytes: number;
  readonly paths: readonly string[];
}

/** Opens the page that stands there as somebody who has nothing of it, until nothing more comes. */
async function firstLoad({ page }: Visitor): Promise<Load> {
  // What the page still asks for would be counted with what it asks for when it is opened again.
  await page.waitForLoadState('networkidle');
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  const paths: string[] = [];
  network.on('Network.responseReceived', ({ response }) => {
    paths.push(new URL(response.url).pathname);
  });
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.reload({ waitUntil: 'networkidle' });
  await network.detach();
  return { bytes, paths };
}

export function describeFirstLoad(stage: Stage): void {
  describe('the first load', () => {
    afterAll(() => stage.clear());

    test.each([
      [
        'the portal',
        () => openPortal(stage, stage.demoId),
        '/portal/v1/account',
        ['/portal/v1/catalog'],
      ],
      ['the console', () => openConsole(stage), '/admin/v1/summary', []],
    ])(
      'of %s is at most 300 kB, with all that its first page asks for',
      async (_, open, figures, names) => {
        const { bytes, paths } = await firstLoad(await open());
        expect(paths).toEqual(expect.arrayContaining([figures, expect.stringMatching(SCRIPT)]));
        expect(paths.filter((path) => path.includes('/catalog'))).toEqual(names);
        expect(bytes).toBeGreaterThan(BYTES_MAX / 3);
        expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
      },
      TEST_MS,
    );
  });
}
