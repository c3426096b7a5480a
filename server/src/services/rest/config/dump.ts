import { writeRolePath } from '../setting-values/role-path.ts'
import { appSettingsPrefix, type ReferenceSettings, rooms, type ValueKind } from './names.ts'

const quote = (text: string): string => `"${text.replaceAll('"', '\\"')}"`

function write(setting: string, value: unknown, kind: ValueKind): string {
  if (kind === 'integer' || kind === 'flag') return value === null ? '""' : String(value)
  if (Array.isArray(value)) return quote(value.join(','))
  const text = value === null ? '' : String(value)
  // `$` begins a variable where the file is read again.
  return quote(setting === 'jwtRoleClaimKey' ? writeRolePath(text).replaceAll('$', '$$$$') : text)
}

/** The settings as a configuration file of the reference server, sorted by name. */
export function dumpConfiguration(settings: ReferenceSettings): string {
  const values: Readonly<Record<string, unknown>> = { ...settings }
  const lines = rooms.flatMap(({ names }) =>
    Object.entries(names).map(([setting, { name, kind }]) => `${name} = ${write(setting, values[setting], kind)}`),
  )
  const own = Object.entries(settings.appSettings).map(
    ([name, value]) => `${appSettingsPrefix}${name} = ${quote(value)}`,
  )
  return [...lines, ...own]
    .sort()
    .map((line) => `${line}\n`)
    .join('')
}

/** A configuration file to begin with: every setting with its sentence and default. */
export function exampleConfiguration(): string {
  return rooms
    .flatMap(({ declared, names }) =>
      Object.entries(names).map(([setting, { name, kind }]) => {
        const declaration = declared[setting]
        return `## ${declaration?.description ?? ''}\n# ${name} = ${write(setting, declaration?.default ?? null, kind)}\n`
      }),
    )
    .join('\n')
}
