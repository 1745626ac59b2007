import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importDemoRelease } from './demo-release.js';
import { clusterBinaries, ReplicatedCluster } from './replicated-cluster.js';
import { SplitService } from './split-service.js';
import { distributeTest } from './test-cluster.js';

/** Of customers: none of them runs out of credits, or is asked to slow down. */
export const CREDITS = 10_000_000;
export const RATE = { rate_limit: { per_second: 100_000, burst: 100_000 } };
/** Of a customer's programs, between two calls. */
export const PAUSE_MS = 5;
export const START_MS = 240_000;

/** A replicated cluster and a service on it, with the release of the demo. */
export class ClusterStage {
  private constructor(
    readonly cluster: ReplicatedCluster,
    readonly service: SplitService,
    private readonly folder: string,
  ) {}

  /** `urlOf`: what the service connects to. Null, and a line, where no cluster is tested. */
  static async open(urlOf: (cluster: ReplicatedCluster) => string): Promise<ClusterStage | null> {
    const binaries = await clusterBinaries();
    if (binaries === null) {
      process.stderr.write('TEST_DATABASE_URL names no cluster of this machine: not tested.\n');
      return null;
    }
    const folder = await mkdtemp(path.join(tmpdir(), 'popindex-replicated-'));
    let cluster: ReplicatedCluster | undefined;
    try {
      cluster = await ReplicatedCluster.start(folder, binaries);
      await importDemoRelease(cluster.url, folder);
      await distributeTest(cluster.url);
      return new ClusterStage(cluster, await SplitService.start(urlOf(cluster)), folder);
    } catch (error) {
      await cluster?.stop();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.cluster.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
