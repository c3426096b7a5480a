import { tmpdir } from 'node:os'
import { readAllSettings } from '../../server/src/settings/index.ts'

/** The variables that set something, of those of a deployment: one of no setting is no problem of the product. */
export function places(variables: Readonly<Record<string, string>>): readonly string[] {
  const { places: found } = readAllSettings({ flags: {}, environment: variables, workingDirectory: tmpdir() })
  return Object.values(found).flatMap((section) => Object.values(section))
}

/** Secrets are files of the machine that the variables are for: here each is read from one that is there. */
export const withFiles = (variables: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, name.endsWith('_FILE') ? '/dev/null' : String(value)]),
  )
