import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse, patch } from '@decimalturn/toml-patch'
import { parse as parseStrictly } from 'smol-toml'
import { isObject } from '../ground/json/object.ts'
import type { Declared } from '../ground/settings/setting.ts'
import { type Section, sections } from './declared.ts'
import { readTomlFile, tomlNames, tomlSource } from './toml.ts'

/** A section of a project's `clew.toml`, to be written by a running instance. */
export interface SectionFile {
  /** The settings that it says otherwise than when it was opened: their value now, undefined where it has none. */
  changed(): Promise<Readonly<Record<string, unknown>>>
  /** @throws Error where the file cannot be read or written */
  write(setting: string, value: unknown): Promise<void>
}

/** @param folder the project folder */
export function openSectionFile(folder: string, section: Section): SectionFile {
  const path = join(folder, 'clew.toml')
  const valuesNow = () => valuesOf(readTomlFile(path).table, section)
  const first = valuesNow()
  let writing: Promise<void> = Promise.resolve()
  return {
    async changed() {
      const now = valuesNow()
      const names = Object.keys(sections[section]).filter((name) => !isDeepStrictEqual(now[name], first[name]))
      return Object.fromEntries(names.map((name) => [name, now[name]]))
    },
    write(setting, value) {
      const written = writing.then(async () => {
        const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return ''
          throw error
        })
        const temporary = `${path}.new`
        await writeFile(temporary, withSetting(text, section, setting, value))
        await rename(temporary, path)
      })
      writing = written.catch(() => undefined)
      return written
    },
  }
}

const valuesOf = (table: Readonly<Record<string, unknown>>, section: Section) =>
  tomlSource(section, sections[section] as Declared, table[section]).values

/**
 * The text of a `clew.toml` with another value of a setting, wherever the section has it; comments, order and all else stay.
 *
 * @param value undefined: the text has none
 * @throws Error where the text is no TOML, or would not say what was asked for
 */
export function withSetting(text: string, section: Section, setting: string, value: unknown): string {
  const table: unknown = parse(text)
  if (!isObject(table)) throw new Error('clew.toml is no table.')
  const names = tomlNames(section, setting)
  const old = table[section]
  const place = (isObject(old) ? placeIn(old, names) : null) ?? [names[0] ?? setting]
  const patched = patch(text, withValue(table, [section, ...place], value))
  const written = patched.endsWith('\n') ? patched : `${patched}\n`
  const before = valuesOf(parseStrictly(text), section)
  const after = valuesOf(parseStrictly(written), section)
  if (!isDeepStrictEqual(after, { ...before, [setting]: value }))
    throw new Error('The file is written in a way in which the value cannot be replaced alone.')
  return written
}

/** Where a table has a setting, in itself or in one of its tables: `subject` of `[email.template.invite]`. */
function placeIn(table: Readonly<Record<string, unknown>>, names: readonly string[], before = ''): string[] | null {
  for (const [key, value] of Object.entries(table)) {
    const name = `${before}${key}`
    if (names.includes(name)) return [key]
    const inside = isObject(value) ? placeIn(value, names, `${name}_`) : null
    if (inside !== null) return [key, ...inside]
  }
  return null
}

function withValue(
  table: Readonly<Record<string, unknown>>,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const inner = table[key]
  const next = rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value)
  if (next !== undefined) return { ...table, [key]: next }
  const { [key]: _, ...others } = table
  return others
}
