import type pg from 'pg'
import type { ChangeGap } from '../../../ground/model/change.ts'

interface GapRow {
  readonly id: string
  readonly from_lsn: string | null
  readonly to_lsn: string | null
  readonly ended_at: Date | null
  readonly reason: string
}

/** What the change stream could not read, oldest first. */
export async function readGaps(pool: pg.Pool): Promise<readonly ChangeGap[]> {
  const { rows } = await pool.query<GapRow>(
    `select id, from_lsn::text, to_lsn::text, ended_at, reason from clew.change_gaps order by id`,
  )
  return rows.map((row) => ({
    id: Number(row.id),
    fromLsn: row.from_lsn,
    toLsn: row.to_lsn,
    endedAt: row.ended_at,
    reason: row.reason,
  }))
}
