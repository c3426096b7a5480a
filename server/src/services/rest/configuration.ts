import type { Sql } from '../../engines/postgres/index.ts'
import type { Statement } from '../../ground/sql/postgres.ts'
import type { ReloadScope } from './cache/debounce.ts'
import { askDatabase, withDatabaseSettings } from './config/in-database.ts'
import { createIdentify, type Identify } from './identity/identify.ts'
import { withSecretRead } from './identity/secret.ts'
import type { LineLog } from './log.ts'
import { reasonOf } from './reason.ts'
import { parseRolePath, writeRolePath } from './setting-values/role-path.ts'
import type { RestSettings } from './settings.ts'
import { createStatementTemplates, type StatementTemplates } from './template/statement-template.ts'
import { preRequestStatement } from './transaction/transaction.ts'

export interface ConfigurationDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly settings: RestSettings
  /** Reads the settings anew from their first source. @throws what is wrong with them */
  readonly reread?: (() => RestSettings) | undefined
  readonly loginRole: string | null
  /** Whether tokens are checked here alone, as no gateway stands before. */
  readonly alone: boolean
  readonly jsonDepth: number
  readonly now: () => Date
  readonly log: LineLog
}

/** Everything that follows from the settings; replaced as a whole when they are read anew. */
export interface Configuration {
  readonly settings: RestSettings
  readonly identify: Identify
  readonly templates: StatementTemplates
  /** The call of the pre-request function. */
  readonly before: Statement | null
}

export interface ConfigurationSource {
  /** The configuration of now. */
  current(): Configuration
  /** Reads the settings anew. Where they cannot be used, the log says why and the old configuration stays. */
  reload(scope: ReloadScope): Promise<void>
}

/**
 * Reads the first configuration from the settings in `deps`.
 *
 * @throws SecretProblem for a secret that cannot be used
 */
export function createConfiguration(deps: ConfigurationDeps): ConfigurationSource {
  const { alone, now, log } = deps

  const make = (source: RestSettings): Configuration => {
    const settings = withSecretRead(source)
    warnOfFormerPath(settings, log)
    return {
      settings,
      identify: createIdentify({ settings, alone, now }),
      templates: createStatementTemplates(settings, settings.templateCacheMaxEntries, deps.jsonDepth),
      before: settings.preRequest === null ? null : preRequestStatement(settings.preRequest),
    }
  }

  let current = make(deps.settings)
  const base = deps.reread ?? (() => deps.settings)

  /** The settings of the database; none where it does not answer. */
  const ask = async ({ preConfig }: RestSettings): Promise<ReadonlyMap<string, string>> => {
    try {
      return await askDatabase(deps.sql, deps.loginRole, preConfig)
    } catch (error) {
      log.warn(`The settings of the database could not be read: ${reasonOf(error)}`)
      return new Map()
    }
  }

  return {
    current: () => current,
    async reload(scope) {
      if (scope === 'schema' && !current.settings.config) return
      try {
        const settings = base()
        const inDatabase = settings.config ? await ask(settings) : new Map<string, string>()
        if (inDatabase.size === 0 && settings === deps.settings && current.settings === deps.settings) return
        const overlaid = withDatabaseSettings(settings, inDatabase)
        if (overlaid.problems.length > 0) throw new TypeError(overlaid.problems.join('; '))
        current = make(overlaid.settings)
      } catch (error) {
        log.warn(`The configuration could not be read anew, the old one stays: ${reasonOf(error)}`)
      }
    },
  }
}

function warnOfFormerPath({ jwtRoleClaimKey: path }: RestSettings, log: LineLog): void {
  if ((parseRolePath(path)?.former ?? null) === null) return
  const named = `jwt-role-claim-key=${writeRolePath(path)}`
  log.warn(`WARNING: The config \`${named}\` is using the deprecated JSPath syntax.`)
  log.warn(`Write it as a JSON path, which begins with $: the other syntax will go.`)
}
