/** Where the room writes what an operator should read; pino's shape. */
export interface ThreadLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
