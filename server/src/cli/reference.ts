import { postgresError } from '../engines/postgres/index.ts'
import { spoolError } from '../engines/spool/index.ts'
import { gatewayError } from '../gateway/index.ts'
import type { ErrorEntry } from '../ground/errors/catalogue.ts'
import type { Declared } from '../ground/settings/setting.ts'
import { instanceError } from '../instance/errors.ts'
import { postgrestError } from '../postgrest/index.ts'
import { analyticsError } from '../services/analytics/index.ts'
import { authError, providerNames } from '../services/auth/index.ts'
import { operatorsError } from '../services/operators/index.ts'
import { dataError, restError } from '../services/rest/index.ts'
import { threadError } from '../services/thread/index.ts'
import { environmentName, instanceSettings, roomSettings, tomlName } from '../settings.ts'
import { exitCodes } from './exit-codes.ts'

const made = '<!-- Made by `npm run generate` from the declarations in the sources. -->'

/** `docs/reference/errors.md`: the error catalogues. */
export function errorsReference(): string {
  const catalogues: readonly (readonly [title: string, entries: Readonly<Record<string, ErrorEntry>>])[] = [
    ['Start and command line (the status is the exit code)', instanceError.entries],
    ['PostgreSQL engine', postgresError.entries],
    ['Spool', spoolError.entries],
    ['Gateway', gatewayError.entries],
    ['REST', restError.entries],
    ['REST service alone (`clew rest`; the status is the exit code)', postgrestError.entries],
    ['Console data', dataError.entries],
    ['Auth', authError.entries],
    ['Analytics', analyticsError.entries],
    ['Thread', threadError.entries],
    ['Operators', operatorsError.entries],
  ]
  const sections = catalogues.map(([title, entries]) => {
    const lines = Object.entries(entries).map(
      ([code, { status, message, hint }]) => `| \`${code}\` | ${status} | ${cell(message)} | ${cell(hint)} |`,
    )
    return `## ${title}\n\n| code | status | what happened | what to do |\n|---|---|---|---|\n${lines.join('\n')}\n`
  })
  const codes = exitCodes.map(([code, meaning]) => `| ${code} | ${meaning} |`)
  const exits = `## Exit codes\n\n| code | what happened |\n|---|---|\n${codes.join('\n')}\n`
  return `${made}\n\n# Errors\n\n${exits}\n${sections.join('\n')}`
}

/** `docs/reference/settings.md`: every setting with its flag, variable and name in `clew.toml`. */
export function settingsReference(): string {
  const rooms: readonly (readonly [room: string | null, declared: Declared])[] = [
    [null, instanceSettings],
    ...Object.entries(roomSettings),
  ]
  const sections = rooms.map(([room, declared]) => {
    const lines = Object.entries(declared).map(([name, setting]) => {
      const value = setting.default === null ? 'none' : `\`${JSON.stringify(setting.default)}\``
      return ofAnyProvider(
        `| \`${tomlName(name)}\` | \`${environmentName(room, name)}\` | ${value} | ${cell(setting.about)} Allowed: ${cell(setting.allowed)}. |`,
      )
    })
    const note = room === null ? '' : (notes[room] ?? '')
    const title = room === null ? 'The process (also flags of `clew start`: `db_port` is `--db-port`)' : `\`[${room}]\``
    return `## ${title}\n\n${note}| in clew.toml | variable | default | what |\n|---|---|---|---|\n${[...new Set(lines)].join('\n')}\n`
  })
  return `${made}\n\n# Settings\n\nA flag wins over a variable, a variable over \`clew.toml\`. A wrong one stops the start with its name, the value\nseen and what is allowed.\n\n${sections.join('\n')}`
}

/** Introductions of some tables. */
const notes: Readonly<Record<string, string>> = {
  rest: `Each also has its name of PostgREST, in \`clew.toml\` (\`db_schemas\`) and as a variable (\`PGRST_DB_SCHEMAS\`).\n\n`,
  auth: `Names may be taken apart into tables: \`external_github_enabled\` is \`enabled\` of \`[auth.external.github]\`, too. A
\`<provider>\` is one of ${providerNames.join(', ')}.\n\n`,
}

/** Replaces a provider's name in the line of a setting that all providers have. */
function ofAnyProvider(line: string): string {
  const provider = [...providerNames]
    .sort((left, right) => right.length - left.length)
    .find((name) => line.startsWith(`| \`external_${name}_`) && line.includes(` ${name}`))
  if (provider === undefined) return line
  return line
    .replace(`external_${provider}_`, 'external_<provider>_')
    .replace(`EXTERNAL_${provider.toUpperCase()}_`, 'EXTERNAL_<PROVIDER>_')
    .replaceAll(` ${provider}`, ' the provider')
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
