import { environmentName, tomlName, tomlPlace } from '../ground/settings/names.ts'
import type { Declared, Setting } from '../ground/settings/setting.ts'
import { unitOf } from '../ground/settings/unit.ts'
import { describeAllowed } from '../ground/settings/value.ts'
import { providerNames } from '../services/auth/index.ts'
import { instanceSettings, sections } from '../settings/index.ts'
import { cell, generatedNote } from './reference.ts'

/** The declared settings by their section of `clew.toml`; null for those of the process. */
const declarations: readonly (readonly [section: string | null, declared: Declared])[] = [
  [null, instanceSettings],
  ...Object.entries(sections),
]

/** `docs/reference/settings.md`: all limits together, then every section's settings with variable, default, unit and meaning. */
export function settingsReference(): string {
  return `${generatedNote}

# Settings

A flag wins over a variable, a variable over \`clew.toml\`, that over \`supabase/config.toml\` of the project, whose keys stand
for the settings of equal meaning. \`clew config\` prints what holds, and from where. A wrong value stops the start with the setting's name, the
value seen and what is allowed.

A secret may stand in a file, as containers and systemd hand them over: the variable's name with \`_FILE\` at its end names it, as
\`CLEW_DATABASE_URL_FILE=/run/secrets/database_url\`.

${limits()}
${declarations.map(([section, declared]) => sectionOf(section, declared)).join('\n')}`
}

function limits(): string {
  const lines = declarations.flatMap(([section, declared]) =>
    Object.entries(declared)
      .filter(([, { limit }]) => limit)
      .map(([name, setting]) => {
        const { value, unit, meaning } = columnsOf(name, setting)
        return `| \`${tomlPlace(section, name)}\` | ${value} | ${unit} | ${meaning} |`
      }),
  )
  return `## Limits

What one client, or the process, may use; each stands again under its section.

| setting | default | unit | meaning |
|---|---|---|---|
${lines.join('\n')}
`
}

function sectionOf(section: string | null, declared: Declared): string {
  const lines = Object.entries(declared).map(([name, setting]) => {
    const { value, unit, meaning } = columnsOf(name, setting)
    const variable = environmentName(section, name)
    return ofAnyProvider(`| \`${tomlName(name)}\` | \`${variable}\` | ${value} | ${unit} | ${meaning} |`)
  })
  const title =
    section === null ? 'The process (also flags of `clew start`: `db_port` is `--db-port`)' : `\`[${section}]\``
  return `## ${title}

${notes[section ?? ''] ?? ''}| in clew.toml | variable | default | unit | meaning |
|---|---|---|---|---|
${[...new Set(lines)].join('\n')}
`
}

function columnsOf(name: string, setting: Setting<unknown>): Readonly<Record<'value' | 'unit' | 'meaning', string>> {
  return {
    value: setting.default === null ? 'none' : `\`${JSON.stringify(setting.default)}\``,
    unit: unitOf(name, setting) ?? '',
    meaning: cell(`${setting.description} Allowed: ${describeAllowed(setting.schema)}.`),
  }
}

/** Introductions of some tables. */
const notes: Readonly<Record<string, string>> = {
  rest: `Each also has its name of PostgREST, in \`clew.toml\` (\`db_schemas\`) and as a variable (\`PGRST_DB_SCHEMAS\`).\n\n`,
  auth: `Names may be taken apart into tables: \`external_github_enabled\` is \`enabled\` of \`[auth.external.github]\`, too. A
\`<provider>\` is one of ${providerNames.join(', ')}.\n\n`,
}

/** The line of a setting that every provider has, worded for any of them. */
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
