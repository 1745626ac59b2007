import type { PublishedRelease } from '#popularity/release-events.js';
import type { ProjectionProgress } from '#deciding/changes/projection-lag.js';

/** Every release that was ever published, oldest first. */
export interface PublishedReleases {
  published(): Promise<readonly PublishedRelease[]>;
}

/** State of one projection of this process. */
export interface ProjectionState {
  readonly name: string;
  readonly version: number;
  readonly state: 'stopped' | 'running' | 'waiting-for-database' | 'outdated' | 'failed';
  readonly error: unknown;
}

/** The projections of this process, as their runner knows them. */
export interface Projections extends ProjectionProgress {
  status(): readonly ProjectionState[];
}
