import { countsOf, type RootKeyUse, renewEach } from '../../../ground/ids/root-key-use.ts'
import { rootIdOf } from '../../../ground/ids/root-keys.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { ExportsDeps } from '../deps.ts'

/** Keys of buckets, kept sealed. Of an export whose key cannot be opened any more the key is to be set again. */
export const exportKeyUse = ({ sql: database, sealing }: Pick<ExportsDeps, 'sql' | 'sealing'>): RootKeyUse => ({
  name: 'keys of exports',
  async renew() {
    const { rows } = await database.query<{ id: string; sealed: string }>(selectSealedStatement())
    await renewEach(rows, async ({ id, sealed }) => {
      const next = sealing.renew(sealed)
      if (rootIdOf(next) !== rootIdOf(sealed)) await database.query(updateSealedStatement(id, sealed, next))
    })
  },
  count: async () => countsOf((await database.query<{ rootId: string; count: number }>(countStatement())).rows),
  end: async () => undefined,
})

const selectSealedStatement = (): Statement =>
  compile(sql`select id, secret_sealed as sealed from clew_exports.exports order by id`)

/** One that was set anew meanwhile stays. */
const updateSealedStatement = (id: string, before: string, after: string): Statement =>
  compile(sql`
    update clew_exports.exports set secret_sealed = ${after}
    where id = ${typed(id, 'uuid')} and secret_sealed = ${before}`)

const countStatement = (): Statement =>
  compile(sql`
    select split_part(secret_sealed, '.', 1) as "rootId", count(*)::int as count
    from clew_exports.exports
    group by 1`)
