import type { LocatedStatement } from '../../../ground/sql/split.ts'
import { locateStatements, withoutLeading } from '../../../ground/sql/split.ts'

/** A statement of a run. */
export interface PlannedStatement extends LocatedStatement {
  /** Whether it ends the transaction, by the word of who typed it. */
  readonly ends: boolean
}

/** How statements are run: for their rows, or for PostgreSQL's plan of them. */
export type RunMode = 'run' | 'explain' | 'analyze'

/** What stands before a statement in a mode. */
export const prefixes: Readonly<Record<RunMode, string>> = {
  run: '',
  explain: 'explain (format json, verbose) ',
  analyze: 'explain (analyze, buffers, verbose, format json) ',
}

/** The statements of a text. */
export const planStatements = (text: string): readonly PlannedStatement[] =>
  locateStatements(text).map((statement) => ({ ...statement, ends: endsTransaction(statement.text) }))

function endsTransaction(text: string): boolean {
  const code = withoutLeading(text)
  if (/^rollback\b/i.test(code)) return !/\bto\b/i.test(code)
  return /^(?:commit|end|abort)\b/i.test(code)
}

/**
 * Where an error stands in the text that was typed, in UTF-16 units from 0; null where PostgreSQL does not say.
 *
 * @param position in characters from 1, as PostgreSQL counts in what was sent: the prefix and the statement
 */
export function placeOfError(position: string | undefined, statement: LocatedStatement, mode: RunMode): number | null {
  if (position === undefined) return null
  const characters = Number(position) - 1 - prefixes[mode].length
  if (!(characters >= 0)) return null
  return statement.at + [...statement.text].slice(0, characters).join('').length
}

/** A statement as it is remembered: without the passwords and secrets that it sets. */
export function withoutSecrets(text: string): string {
  const hidden = text.replaceAll(/(\bpassword\s+)(?:e?'(?:[^'\\]|''|\\.)*')/gi, "$1'…'")
  return /\bvault\s*\.\s*(?:create|update)_secret\b/i.test(hidden)
    ? hidden.replaceAll(/'(?:[^']|'')*'/g, "'…'")
    : hidden
}
