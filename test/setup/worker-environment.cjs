// The specs of a worker share one environment: the globals and the context of the process itself. A
// context of its own would cost every spec the loading of all modules, and every look at a global.
const { TestEnvironment } = require('jest-environment-node');

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const RUN_STATE = 'JEST_STATE_SYMBOL';

let shared;

module.exports = class WorkerEnvironment extends TestEnvironment {
  constructor(config, context) {
    if (shared !== undefined) return shared;
    super(config, context);
    shared = this;
    // What Jest keeps its own business by, such as the real clock under a fake one.
    for (const symbol of Object.getOwnPropertySymbols(this.global)) {
      globalThis[symbol] ??= this.global[symbol];
    }
    const { constructor: Mocker } = this.moduleMocker;
    const { constructor: Timers } = this.fakeTimersModern;
    this.global = globalThis;
    this.context = globalThis;
    this.moduleMocker = new Mocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new Timers({ config: config.projectConfig, global: globalThis });
    this.kept = { env: { ...process.env }, exit: Reflect.get(process, 'exit'), console };
  }

  /** The next spec begins with what the first one found. */
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    const { env, exit, console } = this.kept;
    process.exit = exit;
    globalThis.console = console;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (symbol === EVENT_HANDLERS || symbol.description === RUN_STATE) delete globalThis[symbol];
    }
  }
};
