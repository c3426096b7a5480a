import { readFileSync } from 'node:fs'
import type { ClewSettings } from './settings.gen.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
}

/** The names of all settings: generated, and so small that no declaration is loaded for them. */
const readSchema = (): Schema => JSON.parse(readFileSync(new URL('./clew.schema.json', import.meta.url), 'utf8'))

/**
 * The environment of a process whose settings are given: `CLEW_REST_MAX_ROWS` for `max_rows` of `rest`. Of `inherited`
 * the variables that would set others are left out.
 *
 * @throws TypeError where a setting is unknown
 */
export function environmentOf(
  inherited: Readonly<Record<string, string | undefined>>,
  settings: ClewSettings,
): Record<string, string | undefined> {
  const { properties = {} } = readSchema()
  const own = Object.entries(settings).flatMap(([name, value]) => {
    const schema = properties[name]
    if (schema === undefined) throw unknown(name)
    return schema.properties === undefined ? variable([name], value) : sectionOf(name, value, schema.properties)
  })
  const kept = Object.entries(inherited).filter(([name]) => !/^(CLEW|PGRST)_/.test(name))
  return Object.fromEntries([...kept, ...own])
}

function sectionOf(section: string, values: object, known: NonNullable<Schema['properties']>): Variables {
  return Object.entries(values).flatMap(([name, value]) => {
    if (!Object.hasOwn(known, name)) throw unknown(`${section}.${name}`)
    return variable([section, name], value)
  })
}

type Variables = readonly (readonly [name: string, value: string])[]

function variable(path: readonly string[], value: unknown): Variables {
  if (value === undefined) return []
  return [
    [['CLEW', ...path].join('_').toUpperCase(), typeof value === 'object' ? JSON.stringify(value) : String(value)],
  ]
}

const unknown = (name: string): TypeError => new TypeError(`There is no setting ${name}.`)
