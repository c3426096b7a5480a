import type { PrepareProject } from '../plan/instance.ts'
import type { InstanceSettings } from '../settings/index.ts'
import { applyProject } from './project.ts'
import { createSample } from './sample/sample.ts'

const migrations = new URL('./migrations/', import.meta.url)

export interface PrepareProjectDeps {
  readonly instance: InstanceSettings
  readonly now: () => Date
  /** Called with a line for the terminal. */
  readonly report: (line: string) => void
  readonly log: (line: string) => void
}

/**
 * Brings a database to the state of the project folder: its migrations, its seed, and in a new local database its sample.
 *
 * @throws CLEW_START_PROJECT
 */
export function createPrepareProject({ instance, now, report, log }: PrepareProjectDeps): PrepareProject {
  return async (database, { people, schemas }) => {
    const { admin, auth, owner } = database
    await database.migrate('instance', migrations)
    const sample = createSample({ file: sampleOf(instance), admin, auth, owner, serviceTables: people, schemas, now })
    try {
      await sample.expect()
      if (instance.project !== null) {
        const applied = await applyProject({ folder: instance.project, admin, owner, log })
        const done = [
          ...(applied.migrations === 0
            ? []
            : [`${applied.migrations} migration${applied.migrations === 1 ? '' : 's'}`]),
          ...(applied.seeded ? ['the seed'] : []),
        ]
        if (done.length > 0) report(`${done.join(' and ')} applied`)
        await database.settle()
      }
      const ownSince = await sample.restore()
      return { ownSince, loadSample: sample.load, close: sample.close }
    } catch (error) {
      await sample.close()
      throw error
    }
  }
}

/** A sample of recorded visits has no place in production, nor in engines that may hold real visits. */
const sampleOf = ({ sample, project, production, databaseUrl, clickhouseUrl }: InstanceSettings): string | null =>
  production || project === null || databaseUrl !== null || clickhouseUrl !== null ? null : sample
