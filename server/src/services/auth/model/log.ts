/** Told of what failed beside a request that was answered all the same. */
export interface AuthLog {
  warn(details: object, message: string): void
}
