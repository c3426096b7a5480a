/** Takes lines of the log, each with its newline. */
export interface Output {
  /** Never throws, never waits. */
  write(line: string): void
  close(): Promise<void>
}
