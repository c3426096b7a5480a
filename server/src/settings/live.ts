import { isDeepStrictEqual } from 'node:util'
import { withLive } from '../ground/settings/live.ts'
import { tomlPlace } from '../ground/settings/names.ts'
import type { Declared } from '../ground/settings/setting.ts'
import { type Settings, sectionNames, sections } from './declared.ts'
import { instanceSettings } from './instance.ts'

/** A setting of a section, or of the process (`instance`). */
export interface SettingPlace {
  readonly section: keyof Settings
  readonly setting: string
}

/** Settings whose secrets can be replaced while the process runs; all others are those of its start. */
export interface LiveSettings {
  /** A secret that is read of it is that of now. A copy by a spread keeps that of then: see `withValues`. */
  readonly settings: Settings
  take(secret: SettingPlace, value: unknown): void
}

const everySection: readonly (keyof Settings)[] = ['instance', ...sectionNames]

const declaredSettings: readonly (SettingPlace & { readonly secret: boolean })[] = everySection.flatMap((section) => {
  const declared: Declared = section === 'instance' ? instanceSettings : sections[section]
  return Object.entries(declared).map(([setting, { secret }]) => ({ section, setting, secret }))
})

/** Every secret that is declared. */
export const secretSettings: readonly SettingPlace[] = declaredSettings.filter(({ secret }) => secret)

/** As `clew.toml` has it: `[mail] smtp_pass`. */
export const nameOfSetting = ({ section, setting }: SettingPlace): string =>
  tomlPlace(section === 'instance' ? null : section, setting)

type Values = Readonly<Record<string, unknown>>

/** The value that the settings have there. */
export const settingAt = (settings: Settings, { section, setting }: SettingPlace): unknown =>
  (settings[section] as Values)[setting]

/** Settings that two readings have otherwise: secrets, and all others. */
export function changedSettings(before: Settings, after: Settings) {
  const changed = declaredSettings.filter(
    (place) => !isDeepStrictEqual(settingAt(before, place), settingAt(after, place)),
  )
  return { secrets: changed.filter(({ secret }) => secret), others: changed.filter(({ secret }) => !secret) }
}

/** Settings as they were read, with secrets that can be replaced. */
export function createLiveSettings(first: Settings): LiveSettings {
  const secrets = new Map(secretSettings.map((secret) => [keyOf(secret), settingAt(first, secret)]))
  const live = everySection.map((section) => {
    const names = secretSettings.filter((secret) => secret.section === section).map(({ setting }) => setting)
    return [section, withLive(first[section], names, (setting) => secrets.get(keyOf({ section, setting })))] as const
  })
  return {
    // Each section is there, with the values that it has.
    settings: Object.freeze(Object.fromEntries(live)) as Settings,
    take: (secret, value) => void secrets.set(keyOf(secret), value),
  }
}

const keyOf = ({ section, setting }: SettingPlace): string => `${section} ${setting}`
