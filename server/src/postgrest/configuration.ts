import { readFileSync } from 'node:fs'
import {
  parseConfigurationFile,
  type ReferenceSettings,
  readReference,
  readTokenKeys,
  SecretProblem,
  withSecretRead,
} from '../services/rest/index.ts'
import { postgrestError } from './errors.ts'

/** Where the configuration is read from. */
export interface ConfigurationInput {
  /** PostgREST's configuration file; null for the environment alone. */
  readonly path: string | null
  readonly environment: Readonly<Record<string, string | undefined>>
}

const refuse = (problems: readonly string[], cause?: unknown): Error =>
  postgrestError('CLEW_REST_CONFIGURATION', {
    message: `Error in config ${problems.join('\n')}`,
    details: problems,
    cause,
  })

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw refuse([`${path} cannot be read`], cause)
  }
}

function readValues({ path, environment }: ConfigurationInput) {
  if (path === null) return new Map()
  const parsed = parseConfigurationFile(readFile(path), environment)
  if (parsed.kind === 'values') return parsed.values
  const { line, expected } = parsed.problem
  throw refuse([`${path}, line ${line}: expected ${expected}`])
}

/**
 * Reads PostgREST's configuration: its file, and the environment, which wins.
 *
 * @throws CLEW_REST_CONFIGURATION saying everything that is wrong
 */
export function readConfiguration(input: ConfigurationInput): ReferenceSettings {
  const { settings, problems } = readReference({
    inDatabase: new Map(),
    environment: input.environment,
    file: readValues(input),
  })
  if (problems.length > 0) throw refuse(problems)
  try {
    // Once: what it is read from may be a pipe.
    const whole = withSecretRead(settings)
    readTokenKeys(whole)
    return whole
  } catch (error) {
    throw error instanceof SecretProblem ? refuse([error.message], error) : error
  }
}

/** The connection string, which may stand in a file. */
export function readAddress({ uri }: Pick<ReferenceSettings, 'uri'>): string {
  return uri.startsWith('@') ? readFile(uri.slice(1)).trim() : uri
}
