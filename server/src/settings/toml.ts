import { readFileSync } from 'node:fs'
import { parse as parseToml } from 'smol-toml'
import { messageOf } from '../ground/errors/message.ts'
import { isObject } from '../ground/json/object.ts'
import { tomlName, tomlPlace } from '../ground/settings/names.ts'
import type { SettingProblem, SettingSource } from '../ground/settings/read.ts'
import type { Declared } from '../ground/settings/setting.ts'
import { referenceNames } from '../services/rest/setting-names.ts'
import { isSection, type Section, sections } from './declared.ts'
import { instanceSettings } from './instance.ts'
import { presentName } from './renamed.ts'

/** What `clew.toml` holds; an empty table where there is no file. */
export function readTomlFile(path: string): {
  readonly table: Readonly<Record<string, unknown>>
  readonly problems: readonly SettingProblem[]
} {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (code === 'ENOENT' || code === 'ENOTDIR') return { table: {}, problems: [] }
    return { table: {}, problems: [{ name: path, seen: String(code), source: path, allowed: 'a readable file' }] }
  }
  try {
    return { table: parseToml(content), problems: [] }
  } catch (error) {
    const seen = messageOf(error).split('\n')[0] ?? ''
    return { table: {}, problems: [{ name: path, seen, source: path, allowed: 'a TOML file' }] }
  }
}

/** The names of a setting in `clew.toml`, its own first; the REST service's settings also have PostgREST's. */
export const tomlNames = (section: Section | null, setting: string): readonly string[] => [
  tomlName(setting),
  ...(section === 'rest' ? referenceNames(setting) : []),
]

/** The values of a section's table, or of the file's top where the section is null. */
export function tomlSource(section: Section | null, declared: Declared, table: unknown): SettingSource {
  const known = new Set(Object.keys(declared).flatMap((setting) => tomlNames(section, setting)))
  const values = isObject(table) ? flatten(table, known) : {}
  return {
    name: (setting) => `clew.toml: ${tomlPlace(section, setting)}`,
    values: Object.fromEntries(
      Object.keys(declared).map((setting) => {
        const name = tomlNames(section, setting).find((candidate) => values[candidate] !== undefined)
        return [setting, name === undefined ? undefined : values[name]]
      }),
    ),
  }
}

/** A section's nested tables as one: `subject` of `[auth.email.template.invite]` is `email_template_invite_subject`. */
function flatten(
  table: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  prefix = '',
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([key, value]) => {
      const name = `${prefix}${key}`
      return isObject(value) && !known.has(name) ? Object.entries(flatten(value, known, `${name}_`)) : [[name, value]]
    }),
  )
}

/** Names in `clew.toml` that no setting has. */
export function unknownNames(table: Readonly<Record<string, unknown>>): readonly SettingProblem[] {
  // `project` is how the file is found.
  const own = Object.keys(instanceSettings).filter((name) => name !== 'project')
  const top = [...own.map(tomlName), ...Object.keys(sections)]
  return Object.entries(table).flatMap(([name, value]) => {
    if (!isSection(name)) return top.includes(name) ? [] : [unknownName(null, name, top)]
    if (!isObject(value)) return [unknownName(null, name, ['a table'])]
    const known = Object.keys(sections[name])
    const names = known.flatMap((setting) => tomlNames(name, setting))
    return Object.keys(flatten(value, new Set(names)))
      .filter((setting) => !names.includes(setting))
      .map((setting) => unknownName(name, setting, known.map(tomlName)))
  })
}

function unknownName(section: string | null, name: string, allowed: readonly string[]): SettingProblem {
  const present = section === null ? undefined : presentName(section, name)
  return {
    name: `clew.toml: ${section === null ? name : `[${section}] ${name}`}`,
    seen: name,
    source: 'clew.toml',
    allowed: present === undefined ? `one of ${allowed.join(', ')}` : `${present}, its new name`,
  }
}
