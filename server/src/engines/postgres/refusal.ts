import type { Refusal } from '../../ground/model/refusal.ts'

/**
 * Classes of SQLSTATE by which PostgreSQL says that it cannot at the moment, whatever the rows are: no connection (08),
 * no right or password (28, 42501 below), a transaction that met another (40), resources (53), an operator or a
 * shutdown (57), the system (58), its own tables not made yet (42P01, 3F000).
 */
const passing = /^(08|28|3D|3F|40|53|55|57|58|F0)|^(25006|42501|42P01|42703)$/

/** Reads what a failed statement means for its rows. Details of the message may quote rows, so these are left out. */
export function readPostgresRefusal(error: unknown): Refusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^[0-9A-Z]{5}$/.test(code)) return { blame: passing.test(code) ? 'engine' : 'rows', reason: `SQLSTATE ${code}` }
  return { blame: 'engine', reason: error instanceof Error ? error.message : String(error) }
}
