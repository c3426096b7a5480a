/** One setting of a room: what it is for, what it may be, and what it is when nobody says. */
export interface Setting<Value> {
  readonly default: Value
  /** One sentence for the documentation and the console. */
  readonly about: string
  /** What is allowed, in words, for the message that refuses a wrong value. */
  readonly allowed: string
  /** Reads a value from TOML, a flag or the environment; undefined when it is not allowed. */
  readonly read: (raw: unknown) => Value | undefined
  /** Never printed. */
  readonly secret: boolean
}

export type Declared = Readonly<Record<string, Setting<unknown>>>
export type Values<D extends Declared> = { readonly [Name in keyof D]: D[Name] extends Setting<infer V> ? V : never }

interface Common<Value> {
  readonly default: Value
  readonly about: string
  readonly secret?: boolean
}

const make = <Value>(
  common: Common<Value>,
  allowed: string,
  read: (raw: unknown) => Value | undefined,
): Setting<Value> => ({ default: common.default, about: common.about, allowed, read, secret: common.secret ?? false })

/** A text that says something. */
export const text = (common: Common<string>): Setting<string> =>
  make(common, 'a text that is not empty', (raw) => (typeof raw === 'string' && raw.trim() !== '' ? raw : undefined))

/** A text, or nothing. */
export const optionalText = (common: Common<string | null>): Setting<string | null> =>
  make(common, 'a text', (raw) =>
    raw === null ? null : typeof raw === 'string' ? (raw === '' ? null : raw) : undefined,
  )

/** A text that fits, or nothing. */
export const optionalTextOf = (common: Common<string | null> & { readonly of: Member }): Setting<string | null> =>
  make(common, common.of.allowed, (raw) => {
    if (raw === null || raw === '') return null
    return typeof raw === 'string' && common.of.fits(raw) ? raw : undefined
  })

/** A text that fits. */
export const textOf = (common: Common<string> & { readonly of: Member }): Setting<string> =>
  make(common, common.of.allowed, (raw) => (typeof raw === 'string' && common.of.fits(raw) ? raw : undefined))

/** Texts by their names: a table of `clew.toml`, JSON in the environment. */
export const texts = (common: Common<Readonly<Record<string, string>>>): Setting<Readonly<Record<string, string>>> =>
  make(common, 'names with texts', (raw) => {
    const table = typeof raw === 'string' ? parseJson(raw) : raw
    if (typeof table !== 'object' || table === null || Array.isArray(table)) return undefined
    const entries: (readonly [string, unknown])[] = Object.entries(table)
    const fits = entries.every((entry): entry is readonly [string, string] => typeof entry[1] === 'string')
    return fits ? Object.fromEntries(entries as (readonly [string, string])[]) : undefined
  })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An address with one of the schemes, kept without a slash at its end; any scheme where none is named. */
export function address(common: Common<string> & { readonly schemes?: readonly string[] }): Setting<string> {
  const { schemes } = common
  const beginnings = schemes?.map((scheme) => `${scheme}://…`).join(' or ')
  return make(common, `an address, ${beginnings ?? 'with its scheme'}`, (raw) => {
    if (typeof raw !== 'string' || !URL.canParse(raw)) return undefined
    return schemes?.includes(new URL(raw).protocol.slice(0, -1)) === false ? undefined : raw.replace(/\/+$/, '')
  })
}

/** An address, or nothing. */
export function optionalAddress(
  common: Common<string | null> & { readonly schemes?: readonly string[] },
): Setting<string | null> {
  const inner = address({ ...common, default: '' })
  return make(common, `${inner.allowed}, or nothing`, (raw) => (raw === null || raw === '' ? null : inner.read(raw)))
}

/** A whole number between `min` and `max`; name the unit in the setting's name. */
export function integer(common: Common<number> & { readonly min: number; readonly max: number }): Setting<number> {
  return make(common, `a whole number from ${common.min} to ${common.max}`, (raw) => {
    const value = typeof raw === 'string' && /^-?\d+$/.test(raw.trim()) ? Number(raw) : raw
    return typeof value === 'number' && Number.isInteger(value) && value >= common.min && value <= common.max
      ? value
      : undefined
  })
}

/** A whole number, or nothing for "no limit". */
export function optionalInteger(
  common: Common<number | null> & { readonly min: number; readonly max: number },
): Setting<number | null> {
  const inner = integer({ ...common, default: common.min })
  return make(common, `${inner.allowed}, or nothing`, (raw) => (raw === null || raw === '' ? null : inner.read(raw)))
}

/** True or false. */
export const flag = (common: Common<boolean>): Setting<boolean> =>
  make(common, 'true or false', (raw) => {
    if (typeof raw === 'boolean') return raw
    if (raw === 'true' || raw === '1') return true
    if (raw === 'false' || raw === '0') return false
    return undefined
  })

/** True or false, or nothing where what is not said depends on something else. */
export function optionalFlag(common: Common<boolean | null>): Setting<boolean | null> {
  const inner = flag({ ...common, default: false })
  return make(common, `${inner.allowed}, or nothing`, (raw) => (raw === null || raw === '' ? null : inner.read(raw)))
}

/** What each text of a list must be, in words and as a question. */
export interface Member {
  readonly allowed: string
  readonly fits: (part: string) => boolean
}

/** Several texts; in the environment separated by commas. */
export const list = (common: Common<readonly string[]> & { readonly of?: Member }): Setting<readonly string[]> =>
  make(common, `a list of ${common.of?.allowed ?? 'texts'}`, (raw) => {
    const parts = typeof raw === 'string' ? splitAtCommas(raw) : raw
    const { fits } = common.of ?? { fits: () => true }
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string' && fits(part)) ? parts : undefined
  })

const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** One of a few words. */
export const choice = <Word extends string>(
  common: Common<Word> & { readonly words: readonly Word[] },
): Setting<Word> =>
  make(common, `one of ${common.words.join(', ')}`, (raw) => common.words.find((word) => word === raw))

/** A setting that is wrong: its name, the value seen and what is allowed. */
export interface SettingProblem {
  readonly name: string
  readonly seen: string
  readonly source: string
  readonly allowed: string
}

/** Where a setting's value may come from, strongest first. Keys are the declared names. */
export interface SettingSource {
  readonly name: (setting: string) => string
  readonly values: Readonly<Record<string, unknown>>
}

/** Reads a room's settings from the sources, strongest first; every problem is returned, none thrown, and has the default. */
export function readSettings<D extends Declared>(
  declared: D,
  sources: readonly SettingSource[],
): { readonly values: Values<D>; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(declared)) {
    const source = sources.find((candidate) => candidate.values[name] !== undefined)
    const raw = source?.values[name]
    const value = source === undefined ? setting.default : setting.read(raw)
    if (value === undefined) {
      problems.push({
        name: source?.name(name) ?? name,
        seen: setting.secret ? '(not shown)' : String(raw),
        source: source?.name(name) ?? name,
        allowed: setting.allowed,
      })
    }
    values[name] = value === undefined ? setting.default : value
  }
  // The keys were taken from `declared`, each value read by its own setting.
  return { values: Object.freeze(values) as Values<D>, problems }
}
