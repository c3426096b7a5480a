import type { Command } from 'commander'
import { flagName } from '../../ground/settings/names.ts'
import { instanceSettings } from '../../settings/instance.ts'

/** Adds an option for every setting of the process: `--db-port` is `dbPort`, `db_port` in `clew.toml`. */
export function startOptions(command: Command): Command {
  for (const [name, setting] of Object.entries(instanceSettings)) {
    if (name === 'project' || name === 'data') continue
    const value = typeof setting.default === 'boolean' ? '' : ' <value>'
    command.option(`${flagName(name)}${value}`, setting.description)
  }
  return command
}
