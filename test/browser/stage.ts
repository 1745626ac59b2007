import type { Browser } from 'playwright-core';
import { Service, type ServiceClient } from '../setup/service.js';
import { START_MS, startBrowser } from './browser.js';

/** A browser and a service that somebody comes to. */
export interface Entrance {
  readonly browser: Browser;
  readonly service: ServiceClient;
}

/** One browser and one service for all that a file of tests does with them. */
export class Stage {
  browser!: Browser;
  service!: Service;
  /** The account of the demo, which has three months behind it. */
  demoId = '';

  /** Opens it before the tests of the file, and closes it behind them. */
  static ofFile(env: Readonly<Record<string, string>> = {}): Stage {
    const stage = new Stage();
    beforeAll(() => stage.open(env), START_MS);
    afterAll(() => stage.close());
    return stage;
  }

  private async open(env: Readonly<Record<string, string>>): Promise<void> {
    [this.browser, this.service] = await Promise.all([startBrowser(), Service.start(env)]);
    const { body } = await this.service.admin('/accounts');
    const accounts = body['items'] as { id: string; name: string }[];
    this.demoId = accounts.find(({ name }) => name === 'Demo account')?.id ?? '';
  }

  /** Whoever is there goes: pages that are left open go on reading. */
  async clear(): Promise<void> {
    await Promise.all(this.browser.contexts().map((context) => context.close()));
  }

  private async close(): Promise<void> {
    await this.browser?.close();
    await this.service?.stop();
  }
}
