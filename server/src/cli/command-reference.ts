import { Command } from 'commander'
import { flagName } from '../ground/settings/names.ts'
import { instanceSettings } from '../settings/index.ts'
import { commands } from './index.ts'
import { cell, generatedNote } from './reference.ts'

/** `docs/reference/command-line.md`: every command with its arguments and options. */
export async function commandReference(): Promise<string> {
  const program = new Command('clew')
  const run = async (): Promise<void> => undefined
  for (const [name, [description, load]] of Object.entries(commands))
    (await load()).define(program.command(name).description(description), { run, serve: run })
  return `${generatedNote}

# The command line

\`npx clew <command>\`. Every command takes \`--help\`. Those of the Supabase CLI have its names and options. Where a command
works on the running instance, \`--project\` names the project folder (the working directory, where that has a \`supabase/\`),
and \`--data\` the data directory (\`.clew\` in the project folder). [Exit codes](errors.md#exit-codes). Programs
[import \`start\` from the package](../guide/test-against-clew.md).

${program.commands.flatMap((command) => sectionsOf(command)).join('\n')}`
}

function sectionsOf(command: Command): readonly string[] {
  // A group does nothing by itself.
  const isGroup = command.commands.length > 0 && command.options.length === 0
  return [...(isGroup ? [] : [sectionOf(command)]), ...command.commands.flatMap(sectionsOf)]
}

const settingFlags: ReadonlySet<string> = new Set(Object.keys(instanceSettings).map(flagName))

/** Options that every command of the running instance has. */
const common: ReadonlySet<string> = new Set(['--project', '--data'])

function sectionOf(command: Command): string {
  const shown = command.options.filter(({ hidden }) => !hidden)
  const own = shown.filter(({ long }) => !common.has(long ?? '') && !settingFlags.has(long ?? ''))
  const hasSettings = shown.some(({ long }) => long === '--db-port')
  const rows = [
    ...command.registeredArguments.map((argument) => [placeholderOf(argument), argument.description] as const),
    ...own.map(
      ({ flags, description, defaultValue, envVar }) => [flags, description + defaultOf(defaultValue, envVar)] as const,
    ),
  ]
  const table = rows.map(([name, meaning]) => `| \`${cell(name)}\` | ${cell(meaning)} |\n`).join('')
  return `## ${pathOf(command)}

${sentence(command.description())}${hasSettings ? ' It takes the [settings](settings.md) of the process as options, too.' : ''}
${table === '' ? '' : `\n| | |\n|---|---|\n${table}`}`
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`

function placeholderOf(argument: Command['registeredArguments'][number]): string {
  const inner = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${inner}>` : `[${inner}]`
}

function defaultOf(value: unknown, variable: string | undefined): string {
  if (variable !== undefined) return ` (or the variable \`${variable}\`)`
  return typeof value === 'string' && value !== '' ? ` (by default \`${value}\`)` : ''
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
