import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/setup/worker-environment.cjs',
  runtime: '<rootDir>/test/setup/worker-runtime.cjs',
  roots: ['<rootDir>/apps', '<rootDir>/bench', '<rootDir>/libs', '<rootDir>/test'],
  testRegex: ['\\.spec\\.ts$'],
  moduleFileExtensions: ['ts', 'mjs', 'cjs', 'js', 'json', 'node'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.(ts|js|mjs|cjs)$': '<rootDir>/test/setup/swc-transformer.cjs' },
  transformIgnorePatterns: [],
  testSequencer: '<rootDir>/test/setup/stories-first.cjs',
  globalSetup: '<rootDir>/test/setup/global-setup.cjs',
  globalTeardown: '<rootDir>/test/setup/global-teardown.cjs',
  testTimeout: 180_000,
  // Stories start several processes each: a worker for every core would have them wait for one
  // another.
  maxWorkers: Math.max(2, availableParallelism() - 1),
};
