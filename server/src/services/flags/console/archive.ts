import { violates } from '../../../engines/postgres/index.ts'
import type { FlagDefinition } from '../definition/definition.ts'
import { flagsError } from '../errors.ts'
import type { FlagsRoom } from '../flags.ts'
import {
  type ArchivedRow,
  archiveFlagStatement,
  restoreFlagStatement,
  selectArchivedStatement,
} from '../stored/archive.ts'
import type { FlagRow } from '../stored/store.ts'
import { renderFlag } from './manage.ts'
import type { ArchivePage, FlagSchema } from './schemas.ts'

/** What the console does with flags that are no longer used. */
export interface FlagArchive {
  /** The latest, of those that have the text in their key or description. */
  list(text: string): Promise<ArchivePage>
  /** @throws CLEW_FLAGS_NOT_FOUND, CLEW_FLAGS_IN_USE */
  archive(key: string, operator: string): Promise<void>
  /** Brings one back under its key, off for all. @throws CLEW_FLAGS_NOT_FOUND, CLEW_FLAGS_KEY_TAKEN, CLEW_FLAGS_TOO_MANY */
  restore(id: number, operator: string): Promise<FlagSchema>
}

const shownArchived = 200

export function createFlagArchive({ deps: { sql, settings }, cache }: FlagsRoom['inside']): FlagArchive {
  return {
    async list(text) {
      const { rows } = await sql.query<ArchivedRow>(selectArchivedStatement(text, shownArchived + 1))
      const flags = rows
        .slice(0, shownArchived)
        .map(({ archivedAt, ...flag }) => ({ ...flag, archivedAt: archivedAt.toISOString() }))
      return { flags, hasMore: rows.length > shownArchived }
    },

    async archive(key, operator) {
      const { flags } = await cache.current()
      const users = flags.filter((flag) => asksFor(flag, key)).map((flag) => flag.key)
      if (users.length > 0)
        throw flagsError('CLEW_FLAGS_IN_USE', { message: `Other flags ask for it: ${users.join(', ')}.` })
      const { rows } = await sql.query<object>(archiveFlagStatement(key, operator))
      if (rows.length === 0) throw flagsError('CLEW_FLAGS_NOT_FOUND')
      cache.changed()
    },

    async restore(id, operator) {
      if ((await cache.current()).flags.length >= settings.maxFlags) throw flagsError('CLEW_FLAGS_TOO_MANY')
      try {
        const [row] = (await sql.query<FlagRow>(restoreFlagStatement(id, operator))).rows
        if (row === undefined) throw flagsError('CLEW_FLAGS_NOT_FOUND')
        cache.changed()
        return renderFlag(row)
      } catch (cause) {
        throw violates(cause, 'flags_key_idx') ? flagsError('CLEW_FLAGS_KEY_TAKEN', { cause }) : cause
      }
    },
  }
}

const asksFor = ({ filters }: Pick<FlagDefinition, 'filters'>, key: string): boolean =>
  filters.groups.some(({ properties = [] }) =>
    properties.some((filter) => filter.type === 'flag' && filter.key === key),
  )
