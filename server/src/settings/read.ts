import { join, resolve } from 'node:path'
import { environmentName, flagName } from '../ground/settings/names.ts'
import { readSettings, type SettingProblem, type SettingSource } from '../ground/settings/read.ts'
import type { Declared } from '../ground/settings/setting.ts'
import { referenceNames, referenceVariables } from '../services/rest/setting-names.ts'
import {
  acmeProblems,
  conflicts,
  isFolder,
  largeBuckets,
  missingBucket,
  missingFolder,
  missingSender,
  missingShared,
  publishedSecrets,
  samePaths,
  twoTargets,
} from './checks.ts'
import { type ProjectConfig, readProjectConfig } from './config-toml/index.ts'
import { type Settings, sectionNames, sections } from './declared.ts'
import { environmentSource } from './environment.ts'
import { instanceSettings } from './instance.ts'
import { type PathSetting, resolvePaths, resolveSectionPaths } from './paths.ts'
import { formerVariables } from './renamed.ts'
import { readTomlFile, tomlSource, unknownNames } from './toml.ts'

/** Where settings are read from. */
export interface SettingsInput {
  /** Command-line options by their setting's name; undefined where not given. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
}

/** The settings, and what is wrong with them. */
export interface ReadSettings {
  readonly settings: Settings
  readonly problems: readonly SettingProblem[]
  /** Where each value was said, by section (`instance` for the process's own) and setting; defaults are not among them. */
  readonly places: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The files that variables of the environment name for secrets (`…_FILE`). */
  readonly secretFiles: readonly string[]
  /** What is to be known of `supabase/config.toml`: keys without effect, values that could not be had. */
  readonly config: Pick<ProjectConfig, 'unused' | 'missing'>
}

/**
 * Reads the settings of the process and of every room: flags, then `CLEW_*`, for REST then `PGRST_*`, then `clew.toml` in
 * the project folder (or the working directory), then the project's `supabase/config.toml`, then the defaults. Nothing is
 * thrown; every problem is returned with its name, the value seen and what is allowed.
 */
export function readAllSettings({ flags, environment, workingDirectory }: SettingsInput): ReadSettings {
  const project = flags.project ?? environment.CLEW_PROJECT ?? projectIn(workingDirectory)
  const folder = typeof project === 'string' ? resolve(workingDirectory, project) : workingDirectory
  const { table, problems } = readTomlFile(join(folder, 'clew.toml'))
  const config = readProjectConfig(folder, environment, workingDirectory)
  const variables = environmentSource(null, instanceSettings, environment)
  const instance = readSettings(instanceSettings, [
    { name: flagName, values: flags },
    variables,
    tomlSource(null, instanceSettings, table),
    config.source(null),
  ])
  const read = sectionNames.map((section) => {
    const declared: Declared = sections[section]
    const own = environmentSource(section, declared, environment)
    const sources = [
      own,
      ...(section === 'rest' ? [postgrestSource(environment)] : []),
      tomlSource(section, declared, table[section]),
      config.source(section),
    ]
    const found = readSettings(declared, sources)
    return [section, { ...found, problems: [...own.problems, ...found.problems], files: own.files }] as const
  })
  const baseOf = (name: PathSetting): string => {
    const isTyped = flags[name] !== undefined || environment[environmentName(null, name)] !== undefined
    return isTyped ? workingDirectory : folder
  }
  // Each section's values were read by its own declarations just above.
  const settings = {
    instance: resolvePaths(instance.values, { folder, isProject: typeof project === 'string' }, baseOf),
    ...Object.fromEntries(read.map(([section, { values }]) => [section, resolveSectionPaths(section, values, folder)])),
  } as Settings
  return {
    settings,
    problems: [
      ...problems,
      ...config.problems,
      ...missingFolder(project, folder),
      ...unknownNames(table),
      ...formerVariables(environment),
      ...variables.problems,
      ...instance.problems,
      ...read.flatMap(([, section]) => section.problems),
      ...conflicts(instance.values, settings.acme),
      ...publishedSecrets(instance.values),
      ...acmeProblems(settings),
      ...missingSender(settings.mail, read.find(([section]) => section === 'mail')?.[1].places),
      ...missingBucket(settings.storage),
      ...missingShared(settings),
      ...twoTargets(settings.backup),
      ...largeBuckets(settings),
      ...samePaths(settings),
    ],
    places: {
      instance: instance.places,
      ...Object.fromEntries(read.map(([section, { places }]) => [section, places])),
    },
    secretFiles: [...variables.files, ...read.flatMap(([, { files }]) => files)].map((path) =>
      resolve(workingDirectory, path),
    ),
    config,
  }
}

/** A working directory with a `supabase/` folder is a project, as it is for the Supabase CLI. */
const projectIn = (workingDirectory: string): string | undefined =>
  isFolder(join(workingDirectory, 'supabase')) ? workingDirectory : undefined

/** The variables that the REST service's settings have in PostgREST. */
const postgrestSource = (environment: SettingsInput['environment']): SettingSource => ({
  name: (setting) => `PGRST_${(referenceNames(setting)[0] ?? setting).toUpperCase()}`,
  values: referenceVariables(environment),
})
