import { createHash } from 'node:crypto'
import { messageOf } from '../../../ground/errors/message.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { FunctionLog } from '../../../ground/model/function-log.ts'
import type { FunctionsSettings } from '../settings.ts'
import { readSecrets, type Variables } from '../source/environment.ts'
import type { MadeVersion } from '../source/version.ts'
import type { WorkerProgram } from '../worker/worker.ts'

export interface ProgramsDeps {
  readonly project: string
  readonly settings: Pick<FunctionsSettings, 'secrets'>
  /** The secrets that operators set. */
  readonly secrets: () => Variables
  /** Told the values that must not be in logs. */
  readonly secretsRead: (values: Variables) => void
  /** What says where the instance is. */
  readonly environment: (name: string, version: string) => Variables
  readonly logged: (line: FunctionLog) => void
  readonly now: () => Date
  readonly log: { info(details: object, message: string): void; error(details: object, message: string): void }
}

/** What processes run. */
export interface Programs {
  /** A version with its environment as it is now. */
  of(made: MadeVersion): Promise<WorkerProgram>
  /** Says in both logs why there is no version of what the files hold. */
  refuse(name: string, error: unknown): void
}

export const createPrograms = (deps: ProgramsDeps): Programs => ({
  async of({ hash, name, ...made }) {
    const secrets = await readSecrets(deps.project, { ...deps.settings.secrets, ...deps.secrets() })
    deps.secretsRead(secrets)
    const environment = { ...secrets, ...deps.environment(name, hash) }
    const { files, startsIn, entry, importMap, config, packages, lock, usesPackages } = made
    const version = withEnvironment(hash, environment)
    return { name, version, files, startsIn, entry, importMap, config, packages, lock, usesPackages, environment }
  },
  refuse(name, error) {
    const text = detailsOf(error)
    deps.log.error({ function: name }, `Function ${name} cannot start: ${text}`)
    const about = { at: deps.now(), name, version: '', executionId: '', requestId: null }
    deps.logged({ ...about, kind: 'boot_failure', level: 'error', text })
  },
})

/** A version is another one as soon as its environment is. */
const withEnvironment = (version: string, environment: Variables): string =>
  createHash('sha256').update(version).update(JSON.stringify(environment)).digest('hex').slice(0, 16)

/** What went wrong, in the compiler's words where there are some. */
export const detailsOf = (error: unknown): string =>
  error instanceof ServiceError && typeof error.details === 'string' ? error.details : messageOf(error)
