import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { messageOf } from '../../ground/errors/message.ts'
import { isObject } from '../../ground/json/object.ts'
import type { SettingProblem, SettingSource } from '../../ground/settings/read.ts'
import { isFolder } from '../checks.ts'
import type { Section } from '../declared.ts'
import { bucketsOf } from './buckets.ts'
import { projectEnvironment } from './environment.ts'
import { convert, projectDefaults, reasonFor, type Target, targetOf } from './rules.ts'
import { type Entries, type Entry, settle } from './settle.ts'
import { replaceTexts } from './values.ts'

/** What a project's `supabase/config.toml` says, in our settings. */
export interface ProjectConfig {
  /** The source of a section's values; of the process's own where the section is null. */
  readonly source: (section: Section | null) => SettingSource
  readonly problems: readonly SettingProblem[]
  /** Keys that nothing here acts on, with the reason where there is one. */
  readonly unused: readonly UnusedKey[]
  /** Values that would have an effect and could not be had: a variable that is not set, an encrypted secret. */
  readonly missing: readonly string[]
}

/** A key of `config.toml` without effect. */
export interface UnusedKey {
  readonly key: string
  /** Null where the project may expect an effect. */
  readonly why: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads `supabase/config.toml` of a project folder: `env()` is resolved, `SUPABASE_<SECTION>_<KEY>` overrides, unknown keys
 * are reported and never an error (project-folder §2, project-folder §4).
 */
export function readProjectConfig(
  project: string,
  environment: Environment,
  workingDirectory = project,
): ProjectConfig {
  const folder = join(project, 'supabase')
  if (!isFolder(folder)) return compile(new Map(), [], [])
  const { table, problems } = readTable(join(folder, 'config.toml'))
  const missing: string[] = []
  const variables = projectEnvironment(folder, environment, workingDirectory)
  const written = table === null ? {} : flatten(table)
  const entries = new Map<string, Entry>()
  if (table !== null)
    for (const [key, value] of Object.entries(projectDefaults))
      entries.set(key, { value, place: `the default of supabase/config.toml: ${key}` })
  for (const [key, raw] of Object.entries(written)) {
    const unresolved: string[] = []
    const value = replaceTexts(raw, (text) => resolveText(text, key, variables, unresolved))
    const isMissed = targetOf(key) !== undefined && written[switchOf(key)] !== false
    if (isMissed) missing.push(...unresolved)
    // What is missing counts as not said.
    if (value !== '' || raw === '') entries.set(key, { value, place: `supabase/config.toml: ${key}` })
  }
  for (const [key, place, value] of overrides(entries, environment)) entries.set(key, { value, place })
  return compile(entries, problems, missing)
}

function readTable(path: string): {
  readonly table: Readonly<Record<string, unknown>> | null
  readonly problems: readonly SettingProblem[]
} {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return { table: null, problems: [] }
  }
  try {
    return { table: parseToml(text), problems: [] }
  } catch (error) {
    const seen = messageOf(error).split('\n')[0] ?? ''
    return { table: null, problems: [{ name: path, seen, source: path, allowed: 'a TOML file' }] }
  }
}

/** Tables that are values as a whole: a setting's, or names that the project chose. */
const wholeTables: ReadonlySet<string> = new Set([
  'auth.sms.test_otp',
  'edge_runtime.secrets',
  'functions',
  'db.vault',
  'storage.buckets',
])

/** Nested tables as dotted keys, in lower case: `auth.email.otp_length`. */
function flatten(table: Readonly<Record<string, unknown>>, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, value]) => {
      const key = `${prefix}${name.toLowerCase()}`
      const isNested = isObject(value) && !(value instanceof Date) && !wholeTables.has(key)
      return isNested ? Object.entries(flatten(value, `${key}.`)) : [[key, value]]
    }),
  )
}

/** A text with its `env(NAME)` resolved; empty where the variable is not set, or the text is encrypted (project-folder §2). */
function resolveText(text: string, key: string, variables: Environment, missing: string[]): string {
  const name = /^env\((.*)\)$/.exec(text)?.[1]
  if (name === undefined) {
    if (!text.startsWith('encrypted:')) return text
    missing.push(`${key} is encrypted, which Clew cannot read: give it as env(NAME)`)
    return ''
  }
  const value = variables[name]
  if (value === undefined) missing.push(`${key} names the variable ${name}, which is not set`)
  return value ?? ''
}

/** What `SUPABASE_<SECTION>_<KEY>` says of keys that mean something here. */
function* overrides(entries: Entries, environment: Environment): Generator<readonly [string, string, string]> {
  const keys = new Map([...entries.keys()].map((key) => [variableOf(key), key]))
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !name.startsWith('SUPABASE_')) continue
    const key = keys.get(name) ?? keyOf(name)
    if (key !== undefined) yield [key, name, value]
  }
}

const variableOf = (key: string): string => `SUPABASE_${key.replaceAll('.', '_').toUpperCase()}`

/** The key that a variable overrides though the file does not name it; undefined where it is none that has an effect. */
function keyOf(variable: string): string | undefined {
  const words = variable.slice('SUPABASE_'.length).toLowerCase().split('_')
  // Which underscores are dots is not told: each way to read it is tried, the fewest dots first.
  for (let dots = 0; dots < Math.min(words.length, maxDots); dots += 1)
    for (const key of withDots(words, dots)) if (targetOf(key) !== undefined) return key
  return undefined
}

const maxDots = 4

function withDots(words: readonly string[], dots: number): readonly string[] {
  if (dots === 0) return [words.join('_')]
  return words
    .slice(0, -1)
    .flatMap((_, index) =>
      withDots(words.slice(index + 1), dots - 1).map((rest) => `${words.slice(0, index + 1).join('_')}.${rest}`),
    )
}

/** The key that switches a key's table on or off, as in the tables that `supabase init` writes. */
const switchOf = (key: string): string => `${key.slice(0, key.lastIndexOf('.'))}.enabled`

const isOff = (key: string, written: Entries): boolean =>
  switchOf(key) !== key && written.get(switchOf(key))?.value === false

/** What was said, as values of our settings. */
function compile(written: Entries, problems: readonly SettingProblem[], missing: readonly string[]): ProjectConfig {
  const entries = settle(written)
  const values = new Map<string, { readonly target: Target; readonly value: unknown; readonly place: string }>()
  const unused: UnusedKey[] = []
  for (const [key, { value, place }] of entries) {
    const target = targetOf(key)
    if (target === undefined)
      unused.push({ key, why: isOff(key, written) ? 'its table is switched off' : reasonFor(key, value) })
    else values.set(nameOf(target), { target, value: convert(target, value), place })
    if (key === 'storage.buckets')
      unused.push(...bucketsOf(value).unknown.map((name) => ({ key: `${key}.${name}`, why: null })))
  }
  const source = (section: Section | null): SettingSource => ({
    name: (setting) => values.get(nameOf({ section, name: setting }))?.place ?? '',
    values: Object.fromEntries(
      [...values.values()]
        .filter(({ target }) => target.section === section)
        .map(({ target, value }) => [target.name, value]),
    ),
  })
  return { source, problems, unused, missing }
}

const nameOf = ({ section, name }: Target): string => `${section ?? ''}.${name}`
