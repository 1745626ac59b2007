/** The interface of a log: pino's loggers fit. */
export interface Log {
  info(members: object, message: string): void;
  warn(members: object, message: string): void;
  error(members: object, message: string): void;
}
