import { isObject } from '../json/object.ts'
import type { Declared, Values } from './setting.ts'
import { describeAllowed, parseValue } from './value.ts'

/** A setting that is wrong: its name, the value seen, where it came from and what is allowed. */
export interface SettingProblem {
  readonly name: string
  /** Not the value of a secret. */
  readonly seen: string
  readonly source: string
  readonly allowed: string
}

/** Where values come from. Keys are the declared names; undefined where the source has none. */
export interface SettingSource {
  /** The setting's name as the source spells it. */
  readonly name: (setting: string) => string
  readonly values: Readonly<Record<string, unknown>>
}

/** A room's settings, as they were read. */
export interface ReadValues<D extends Declared> {
  readonly values: Values<D>
  /** Where each value was said, by its setting's name; defaults are not among them. */
  readonly places: Readonly<Record<string, string>>
  readonly problems: readonly SettingProblem[]
}

/**
 * Reads a room's settings from sources, strongest first. Nothing is thrown: a setting with a wrong value has its default
 * and is among the problems.
 */
export function readSettings<D extends Declared>(declared: D, sources: readonly SettingSource[]): ReadValues<D> {
  const problems: SettingProblem[] = []
  const places: Record<string, string> = {}
  const values = Object.entries(declared).map(([name, setting]) => {
    const source = sources.find((candidate) => candidate.values[name] !== undefined)
    if (source === undefined) return [name, setting.default]
    const raw = source.values[name]
    const place = source.name(name)
    places[name] = place
    const value = parseValue(setting, raw)
    if (value !== undefined) return [name, value]
    const seen = setting.secret ? '(not shown)' : isObject(raw) ? JSON.stringify(raw) : String(raw)
    problems.push({ name: place, seen, source: place, allowed: describeAllowed(setting.schema) })
    return [name, setting.default]
  })
  // The names are those of `declared`, and each value fits its schema.
  return { values: Object.freeze(Object.fromEntries(values)) as Values<D>, places, problems }
}
