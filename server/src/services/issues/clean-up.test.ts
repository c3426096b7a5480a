import { expect } from 'vitest'
import { test as base } from '../../../test/harness.ts'
import { readSettings } from '../../ground/settings/read.ts'
import { sql } from '../../ground/sql/sql.ts'
import { startCleanUp } from './clean-up.ts'
import { issuesSettings, issuesTables } from './index.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const old = '2026-01-01 12:00:00.000'
const ids = { held: '0199a1b2-0000-4000-8000-00000000000a', other: '0199a1b2-0000-4000-8000-00000000000b' }

const test = base.extend('world', async ({ db, clickhouse }) => {
  await db.migrate(issuesTables.name, issuesTables.postgres)
  await clickhouse.migrate(issuesTables.name, issuesTables.clickhouse)
  for (const [fingerprint, id] of Object.entries(ids)) {
    const insert = `insert into clew_issues.issues (id, title, type, message, culprit, level, source, first_seen_at, last_seen_at)
      values ($1, '', '', '', '', '', '', $2, $2)`
    await db.admin.query({ text: insert, values: [id, `${old}Z`] })
    await db.admin.query({ text: 'insert into clew_issues.fingerprints values ($1, $2)', values: [fingerprint, id] })
  }
  await clickhouse.insert(
    'exceptions',
    Object.keys(ids).map((fingerprint) => ({
      ...{ id: fingerprint, fingerprint, session_id: fingerprint, client_time: old, time: old, received_at: old },
    })),
  )
  const issues = async () => {
    const text =
      'select f.fingerprint from clew_issues.fingerprints f join clew_issues.issues i on i.id = f.issue_id order by 1'
    return (await db.admin.query<{ fingerprint: string }>({ text, values: [] })).rows.map((row) => row.fingerprint)
  }
  return { sql: db.admin, clickhouse, issues }
})

test.for([
  ['past its days', 30, 100],
  ['one too many', 365, 0],
] as const)(
  'an issue that is %s goes, unless one of its exceptions is held',
  async ([, retentionDays, maxIssues], { world: { issues, ...engines } }) => {
    const warned: string[] = []
    const keptLonger = { condition: async () => sql`session_id = 'held'`, sessions: async () => ['held'] }
    const stop = startCleanUp({
      ...{ ...engines, keptLonger, now: () => now },
      settings: { ...readSettings(issuesSettings, []).values, retentionDays, maxIssues },
      log: { info: () => undefined, warn: (_details, text) => warned.push(text), error: () => undefined },
    })
    await expect.poll(issues).toEqual(['held'])
    stop()
    expect(warned).toEqual([])
  },
)
