import { clearDatabase } from '../database/index.ts'
import type { InstanceFacts } from '../gateway/index.ts'
import type { Analytics } from '../services/analytics/index.ts'
import type { Issues } from '../services/issues/index.ts'
import type { Operators } from '../services/operators/index.ts'
import type { Replay } from '../services/replay/index.ts'
import type { Thread } from '../services/thread/index.ts'
import type { Addresses } from './addresses.ts'
import type { RunningInstance } from './instance.ts'
import type { Engines } from './shared.ts'

/** The services that a running instance is asked about, or stores a sample by. */
interface AskedServices {
  readonly thread: Pick<Thread, 'importRows'>
  readonly analytics: Pick<Analytics, 'importEvents'>
  readonly issues: Pick<Issues, 'importExceptions'>
  readonly recordings: Pick<Replay, 'store'>
  readonly operators: Pick<Operators, 'setupLink' | 'resetFactors' | 'actions'>
}

interface SeenInstance
  extends Pick<RunningInstance, 'health' | 'metrics' | 'localConsole' | 'passwordReplaced' | 'rootsReplaced'> {
  readonly facts: InstanceFacts
  readonly servesStorage: boolean
}

/** What the rest of the process may ask of an instance whose services are served. */
export function describeInstance(
  { postgres, project }: Pick<Engines, 'postgres' | 'project'>,
  { thread, analytics, issues, recordings, operators }: AskedServices,
  { apiUrl, consoleUrl, inboxUrl, listenUrl }: Addresses,
  { facts, health, metrics, servesStorage, localConsole, passwordReplaced, rootsReplaced }: SeenInstance,
): RunningInstance {
  return {
    apiUrl,
    consoleUrl,
    inboxUrl,
    listenUrl,
    get dbUrl() {
      return postgres.url
    },
    shownDbUrl: facts.dbUrl,
    exampleUrl: facts.exampleUrl,
    health,
    metrics,
    ownerLink: async () => {
      const token = await operators.setupLink()
      return token === null ? null : `${consoleUrl}/welcome?token=${token}`
    },
    resetFactors: operators.resetFactors,
    passwordReplaced,
    rootsReplaced,
    secretRotated: (target, by) => operators.actions.note({ name: 'secret.rotate', target, by }),
    secretTaken: (target, by) => operators.actions.note({ name: 'secret.reload', target, by }),
    localConsole,
    clearDatabase: () => clearDatabase(postgres.admin, { dropsRoles: postgres.kind === 'embedded' }),
    settle: async () => {
      await postgres.settle()
      await postgres.admin.query({ text: `notify pgrst, 'reload schema'`, values: [] })
    },
    keepBuckets: servesStorage ? project.keepBuckets : null,
    loadSample: () =>
      project.loadSample(
        {
          ...thread.importRows,
          events: analytics.importEvents,
          exceptions: issues.importExceptions,
          snapshots: (rows) => recordings.store(rows),
        },
        new URL(apiUrl).origin,
      ),
  }
}
