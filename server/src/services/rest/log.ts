/** The service's log: whole lines, as PostgREST writes them. */
export interface LineLog {
  warn(line: string): void
  info?(line: string): void
}
