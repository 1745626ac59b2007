// The specs of a worker share the modules that they load; only specs and suites are loaded again.
// To load the service takes longer than most specs take.
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const OWN_TO_EACH_SPEC = /\.(spec|suite)\.ts$/;

/** Runs modules in the context of the process, which the worker's environment is. */
class PlainRuntime extends Runtime {
  constructor(...settings) {
    super(...settings);
    const { executor } = this;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
  }
}

let shared;

module.exports = class WorkerRuntime extends PlainRuntime {
  constructor(...settings) {
    super(...settings);
    const { watch, watchAll } = settings.at(-1);
    // Sources change between the runs of a process that watches them.
    if (watch || watchAll) shared = undefined;
    shared ??= new PlainRuntime(...settings);
    this.transformCache.sourceMaps = shared.transformCache.sourceMaps;
  }

  requireModule(from, name, options, isActual) {
    const isShared =
      name !== undefined &&
      options?.isInternalModule !== true &&
      !this._resolution.isCoreModule(name) &&
      !OWN_TO_EACH_SPEC.test(this._resolution.resolveCjs(from, name));
    return isShared
      ? shared.requireModule(from, name, options, isActual)
      : super.requireModule(from, name, options, isActual);
  }

  /**
   * Loads what runs specs for each of them, as it keeps the state of one, but not what that is made
   * of: `expect` keeps its state among the globals.
   */
  requireInternalModule(from, name) {
    return name === undefined
      ? super.requireInternalModule(from)
      : shared.requireInternalModule(from, name);
  }

  setMock() {
    throw new Error('The specs of a worker share their modules: a mocked one would be of all.');
  }
};
