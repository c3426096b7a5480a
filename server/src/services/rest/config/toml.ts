import type { FileValue } from './file.ts'
import { appSettingsPrefix, databaseName, type ReferenceName, restNames } from './names.ts'

/** A configuration of the reference server as lines of `clew.toml`. */
export interface RestToml {
  /** The section `[rest]`; empty where no setting belongs to it. */
  readonly lines: readonly string[]
  /** Names of settings that have another place: those of the process, and secrets. */
  readonly others: readonly string[]
}

const secrets: ReadonlySet<string> = new Set(['jwt-secret'])

/** Renders the settings of a configuration file of PostgREST for `clew.toml`; secrets are named, and not written. */
export function renderRestToml(values: ReadonlyMap<string, FileValue>): RestToml {
  const known: readonly ReferenceName[] = Object.values(restNames)
  const own: string[] = []
  const applications: string[] = []
  const others: string[] = []
  for (const [name, value] of values) {
    const found = known.find((each) => each.name === name || each.aliases.includes(name))
    if (name.startsWith(appSettingsPrefix))
      applications.push(`${JSON.stringify(name.slice(appSettingsPrefix.length))} = ${JSON.stringify(String(value))}`)
    else if (found === undefined || secrets.has(found.name)) others.push(name)
    else own.push(`${databaseName(found.name)} = ${renderValue(found, value)}`)
  }
  return {
    lines: [
      ...(own.length + applications.length > 0 ? ['[rest]', ...own] : []),
      ...(applications.length > 0 ? ['[rest.app_settings]', ...applications] : []),
    ],
    others,
  }
}

function renderValue({ kind }: ReferenceName, value: FileValue): string {
  const text = String(value)
  if (kind === 'integer' || kind === 'flag') return text
  if (kind === 'list' || kind === 'emptyable_list')
    return JSON.stringify(
      text
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    )
  return JSON.stringify(text)
}
