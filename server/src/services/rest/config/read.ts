import type { Setting } from '../../../ground/settings/setting.ts'
import { describeAllowed, parseValue } from '../../../ground/settings/value.ts'
import type { FileValue } from './file.ts'
import {
  appSettingsPrefix,
  databaseName,
  environmentVariable,
  type ReferenceName,
  type ReferenceSettings,
  rooms,
  type ValueKind,
} from './names.ts'

/** Where the reference server's settings come from, strongest first. */
export interface ReferenceSources {
  /** By their names with underscores, without `pgrst.`. */
  readonly inDatabase: ReadonlyMap<string, string>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly file: ReadonlyMap<string, FileValue>
}

export interface ReadReference {
  readonly settings: ReferenceSettings
  /** In words, one for each setting that is wrong; it has its default. */
  readonly problems: readonly string[]
}

/** The reference server's defaults that differ from ours. */
const referenceDefaults: Readonly<Record<string, unknown>> = {
  anonRole: null,
  extraSearchPath: ['public'],
  poolSize: 10,
}

/** A value of the file that should have been a text, as the reference server shows it. */
const asText = (value: FileValue): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return `Bool ${value ? 'True' : 'False'}`
  return `Number ${Number.isInteger(value) ? `${value}.0` : value}`
}

const asInteger = (value: FileValue): number | undefined => {
  const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}

const asFlag = (value: FileValue): boolean | undefined => {
  if (typeof value !== 'string') return typeof value === 'boolean' ? value : undefined
  const word = value.replaceAll(/\P{L}/gu, '').toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  return /^\s*-?\d+\s*$/.test(value) ? Number(value) > 0 : undefined
}

const splitAtCommas = (text: string): readonly string[] => text.split(',').map((part) => part.trim())

/** A value as its setting reads it; undefined where it counts as not given. */
function coerce(value: FileValue, kind: ValueKind): unknown {
  if (kind === 'integer') return asInteger(value)
  if (kind === 'flag') return asFlag(value)
  const text = asText(value)
  if (kind === 'emptyable_list') return text === '' ? [] : splitAtCommas(text)
  if (text === '') return undefined
  return kind === 'list' ? splitAtCommas(text) : text
}

function find({ inDatabase, environment, file }: ReferenceSources, name: string): FileValue | undefined {
  return inDatabase.get(databaseName(name)) ?? environment[environmentVariable(name)] ?? file.get(name)
}

function findCoerced(sources: ReferenceSources, { name, aliases, kind }: ReferenceName): unknown {
  for (const one of [name, ...aliases]) {
    const value = find(sources, one)
    const coerced = value === undefined ? undefined : coerce(value, kind)
    if (coerced !== undefined) return coerced
  }
  return undefined
}

/** In the reference server's words, where tools look for them. */
function problemOf(name: string, value: unknown, allowed: string): string {
  if (name === 'jwt-role-claim-key') return `failed to parse role-claim-key value (${String(value)})`
  if (name === 'jwt-aud') return 'jwt-aud should be a string or a valid URI'
  if (name === 'db-schemas') {
    const hidden = [value].flat().find((one) => one === 'pg_catalog' || one === 'information_schema')
    return `db-schemas does not allow schema: '${String(hidden)}'`
  }
  if (name === 'openapi-server-proxy-uri') return 'Malformed proxy uri, a correct example: https://example.com/base'
  const isWords = allowed.startsWith('one of ')
  return isWords ? `Invalid ${name}. Check your configuration. Allowed: ${allowed}` : `Invalid ${name}: ${allowed}`
}

function appSettings({ environment, file }: ReferenceSources): Readonly<Record<string, string>> {
  const variable = environmentVariable('app_settings_')
  const fromFile = [...file]
    .filter(([name]) => name.startsWith(appSettingsPrefix))
    .map(([name, value]) => [name.slice(appSettingsPrefix.length), asText(value)] as const)
  const fromEnvironment = Object.entries(environment).flatMap(([name, value]) =>
    name.startsWith(variable) && value !== undefined
      ? [[name.slice(variable.length).toLowerCase(), value] as const]
      : [],
  )
  return Object.fromEntries([...fromFile, ...fromEnvironment])
}

/** Reads every setting under the reference server's names. Nothing is thrown. */
export function readReference(sources: ReferenceSources): ReadReference {
  const problems: string[] = []
  const values: Record<string, unknown> = { appSettings: appSettings(sources) }
  for (const { declared, names } of rooms) {
    for (const [setting, declaration] of Object.entries(declared)) {
      if (setting === 'appSettings') continue
      const name = names[setting]
      values[setting] = read(sources, setting, declaration, name, problems)
    }
  }
  const settings = values as ReferenceSettings
  const { adminServerPort, serverPort } = settings
  if (adminServerPort !== null && adminServerPort === serverPort)
    problems.push('admin-server-port cannot be the same as server-port')
  return { settings, problems }
}

function read(
  sources: ReferenceSources,
  setting: string,
  declaration: Setting<unknown>,
  name: ReferenceName | undefined,
  problems: string[],
): unknown {
  const byDefault = Object.hasOwn(referenceDefaults, setting) ? referenceDefaults[setting] : declaration.default
  const raw = name === undefined ? undefined : findCoerced(sources, name)
  if (name === undefined || raw === undefined) return byDefault
  const value = parseValue(declaration, raw)
  if (value !== undefined) return value
  problems.push(problemOf(name.name, raw, describeAllowed(declaration.schema)))
  return byDefault
}
