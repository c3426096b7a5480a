/** Where a function's source is wrong. */
export interface FailurePlace {
  /** The file, relative to the project. */
  readonly path: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

/** The first place of the project's files that an error names, as `at supabase/functions/hello/index.ts:3:7`. */
export function findFailurePlace(text: string): FailurePlace | null {
  const [, path, line, column] = /(?:^|[\s(/])(supabase\/functions\/[^\s:()]+):(\d+):(\d+)/.exec(text) ?? []
  return path === undefined ? null : { path, line: Number(line), column: Number(column) }
}
