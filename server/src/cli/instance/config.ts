import { tomlPlace } from '../../ground/settings/names.ts'
import type { Declared } from '../../ground/settings/setting.ts'
import { instanceSettings, type ReadSettings, sections } from '../../settings/index.ts'
import { bold, faint, print, printTable, red } from '../print.ts'
import { readSettingsOf } from '../settings-of.ts'
import type { StartOptions } from '../start/start.ts'

export interface ConfigOptions {
  readonly all?: boolean
  readonly json?: boolean
}

interface EffectiveSetting {
  readonly name: string
  /** Not a secret's. */
  readonly value: unknown
  readonly from: string
}

const byDefault = 'default'

/** Prints the effective settings with where each comes from. Exit code 2 when one is wrong. */
export async function config({ all = false, json = false, ...options }: StartOptions & ConfigOptions): Promise<number> {
  const read = await readSettingsOf(options)
  const shown = effectiveSettings(read).filter(({ from }) => all || from !== byDefault)
  const { problems, config } = read
  if (json) print(JSON.stringify({ settings: shown, problems, ...config }, null, 2))
  else {
    printTable(shown.map(({ name, value, from }) => [name, `${bold(JSON.stringify(value))}  ${faint(from)}`] as const))
    if (!all) print(faint(`  Every other setting has its default (--all).`))
    for (const { name, seen, allowed } of problems)
      print(`  ${red('✗')} ${name} is ${JSON.stringify(seen)}; allowed: ${allowed}`)
    for (const line of config.missing) print(`  ${red('✗')} supabase/config.toml: ${line}`)
    if (config.unused.length > 0) {
      print()
      print('  Of supabase/config.toml these have no effect:')
      printTable(
        config.unused.map(({ key, why }) => [key, why ?? 'Clew does not know it, or does not serve it'] as const),
      )
    }
  }
  return problems.length === 0 ? 0 : 2
}

function effectiveSettings({ settings, places }: ReadSettings): readonly EffectiveSetting[] {
  const declared: Readonly<Record<string, Declared>> = { instance: instanceSettings, ...sections }
  const values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = settings
  return Object.entries(declared).flatMap(([section, names]) =>
    Object.entries(names).map(([name, { secret }]) => {
      const value = values[section]?.[name]
      return {
        name: tomlPlace(section === 'instance' ? null : section, name),
        value: secret && value !== null ? '(secret)' : value,
        from: places[section]?.[name] ?? byDefault,
      }
    }),
  )
}
