import type { Moment } from '../../../../lib/api/schemas.ts'

/** The levels of a console, the gravest first. */
export const consoleLevels = ['error', 'warn', 'info', 'log', 'debug'] as const

/** One of `consoleLevels`. */
export type ConsoleLevel = (typeof consoleLevels)[number]

/** The level of a line; what the console has beside them (`dir`, `table`, `trace`) is a log. */
export const levelOf = ({ kind, level }: Pick<Moment, 'kind' | 'level'>): ConsoleLevel =>
  kind === 'exception' ? 'error' : (consoleLevels.find((one) => one === level) ?? 'log')
