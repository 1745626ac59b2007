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
  // Specs wait for real processes and time-outs: on two cores a third one fills the time.
  maxWorkers: Math.max(3, availableParallelism() - 1),
};
