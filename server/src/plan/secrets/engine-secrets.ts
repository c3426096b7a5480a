import { checkNats } from '../../engines/bus/index.ts'
import { type ClickHouse, checkClickHouse } from '../../engines/clickhouse/index.ts'
import type { Postgres } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import type { ComposeInput } from '../instance.ts'

interface EngineSecretsDeps {
  readonly postgres: Postgres
  readonly clickhouse: ClickHouse
  /** Starts what reads row changes again, with the addresses of now. */
  readonly renewChanges: () => Promise<void>
}

/** Has engines of one's own go on with other passwords of the same servers. An address that leads elsewhere takes a new start. */
export function useEngineSecrets(
  { settings, useSecrets }: Pick<ComposeInput, 'settings' | 'useSecrets'>,
  { postgres, clickhouse, renewChanges }: EngineSecretsDeps,
): void {
  const { instance, cluster } = settings
  useSecrets({
    secrets: ['database_direct_url'],
    check: async () => needStart('It names what a pooler stands before, of which both passwords change.'),
  })
  useSecrets({
    secrets: ['database_url'],
    async check({ instance: { databaseUrl: next } }) {
      const now = instance.databaseUrl
      if (next === null || now === null || !isSamePlace(now, next, ['password']))
        needStart('Another server, database or role takes a new start.')
      else if (postgres.renew === null) needStart('Behind a pooler, or without a password, it takes a new start.')
      else await postgres.renew(next)
    },
    taken: renewChanges,
  })
  useSecrets({
    secrets: ['clickhouse_url'],
    async check({ instance: { clickhouseUrl: next } }) {
      const now = instance.clickhouseUrl
      if (next === null || now === null || !isSamePlace(now, next, ['username', 'password']))
        needStart('Another server takes a new start.')
      else await checkClickHouse(next)
    },
    async taken() {
      clickhouse.renew()
      await renewChanges()
    },
  })
  useSecrets({
    secrets: ['[cluster] bus'],
    async check({ cluster: { bus: next } }) {
      if (next === null || cluster.bus === null || !isSamePlace(cluster.bus, next, ['username', 'password']))
        needStart('Another server takes a new start.')
      else await checkNats(next)
    },
  })
}

function needStart(message: string): never {
  throw instanceError('CLEW_SECRET_NEEDS_START', { message })
}

/** Whether two addresses differ in parts of their login alone. */
function isSamePlace(one: string, other: string, login: readonly ('username' | 'password')[]): boolean {
  // An address with several hosts is no URL and cannot be taken apart: any change of it counts as another server.
  if (!URL.canParse(one) || !URL.canParse(other)) return false
  const places = [one, other].map((text) => {
    const url = new URL(text)
    for (const part of login) url[part] = ''
    return url.href
  })
  return places[0] === places[1]
}
